// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/operator_policy.h"
#include "worker/pickle_scan.h"

#include <gtest/gtest.h>

namespace kw {
namespace {

TEST(OperatorPolicy, AllowsArithmeticAndRefusesWhatReachesOutside)
{
    for (const char* target : {"aten::add.Tensor", "aten::relu", "prims::convert_element_type", "python::mul", "higher_order::cond",
             "aten::index_put_", "kernelwright_0123456789ab::rms_norm_1a2b"})
        EXPECT_TRUE(checkOperatorAllowed(target).ok()) << target;
    for (const char* target : {"aten::from_file", "aten::save", "aten::_print", "prims::inductor_seeds", "aten::set_.source_Storage"})
        EXPECT_EQ(checkOperatorAllowed(target).error().message.id, "import.forbidden_operator") << target;
    for (const char* target : {"torchvision::nms", "inductor::_reinterpret_tensor", "relu", "", "::", "mylib::add"})
        EXPECT_EQ(checkOperatorAllowed(target).error().message.id, "import.operator_library") << target;
}

TEST(PickleScan, FindsNamesThatRunCode)
{
    EXPECT_EQ(codeInPickles("\x80\x02" "cposix\nsystem\nq\0(X\x04\0\0\0true"), "posix.system");
    EXPECT_EQ(codeInPickles("....c__builtin__\neval\n"), "__builtin__.eval");
    EXPECT_EQ(codeInPickles("cos.path\njoin\n"), "os.path.join");
}

TEST(PickleScan, LeavesHonestPicklesAlone)
{
    EXPECT_FALSE(codeInPickles("ctorch._utils\n_rebuild_tensor_v2\nccollections\nOrderedDict\nctransformers.cache\nDynamicCache\n"));
    EXPECT_FALSE(codeInPickles("c__builtin__\nset\n"));
    EXPECT_FALSE(codeInPickles(""));
    EXPECT_FALSE(codeInPickles("cos"));
    EXPECT_FALSE(codeInPickles("cos\n"));
}

} // namespace
} // namespace kw
