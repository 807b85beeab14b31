# SPDX-License-Identifier: GPL-3.0-or-later
find_package(Qt6 6.4 REQUIRED COMPONENTS Core Gui Widgets Svg Charts LinguistTools)
find_path(QSCINTILLA_INCLUDE Qsci/qsciscintilla.h PATH_SUFFIXES qt6 x86_64-linux-gnu/qt6 REQUIRED)
find_library(QSCINTILLA_LIBRARY qscintilla2_qt6 REQUIRED)
add_library(kw_qscintilla INTERFACE)
target_include_directories(kw_qscintilla SYSTEM INTERFACE ${QSCINTILLA_INCLUDE})
target_link_libraries(kw_qscintilla INTERFACE ${QSCINTILLA_LIBRARY} Qt6::Widgets)
add_compile_definitions(
  $<$<BOOL:$<TARGET_PROPERTY:AUTOMOC>>:QT_NO_CAST_FROM_ASCII>
  $<$<BOOL:$<TARGET_PROPERTY:AUTOMOC>>:QT_NO_FOREACH>)
kw_prelude(kw_prelude_qt LIBRARIES Qt6::Widgets HEADERS <QtWidgets/QtWidgets>)
set_target_properties(kw_prelude_qt PROPERTIES AUTOMOC ON) # for the definitions above
