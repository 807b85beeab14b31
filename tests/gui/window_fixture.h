// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fake_client.h"
#include "window/main_window.h"
#include "window/watched_application.h"

#include <memory>

namespace kw::test {

/// A main window on a fake session, with settings of its own. Create in the test function, after the application.
struct WindowFixture {
    explicit WindowFixture(Language language = Language::English, ThemeChoice theme = ThemeChoice::Light);
    ~WindowFixture();

    /// Opens the fake session; `ours`: as if the window hosted it. Returns when the window shows it.
    bool openSession(bool ours = true);
    /// Waits until the window has shown everything that the session published.
    bool settle();

    std::shared_ptr<FakeSession> session = std::make_shared<FakeSession>();
    std::unique_ptr<MainWindow> window;
};

/// Runs QTest with the window's application class, a fixed font and test-mode paths.
int runGuiTest(int argc, char* argv[], const std::function<int(int, char**)>& run);

/// Every label, button, header, tab and combo box of `root` whose text does not fit, in words.
QStringList clippedTexts(const QWidget& root);

} // namespace kw::test

#define KW_GUI_TEST_MAIN(Test)                                                                                         \
    int main(int argc, char* argv[])                                                                                   \
    {                                                                                                                  \
        return kw::test::runGuiTest(argc, argv, [](int count, char** values) {                                        \
            Test test;                                                                                                 \
            return QTest::qExec(&test, count, values);                                                                 \
        });                                                                                                            \
    }
