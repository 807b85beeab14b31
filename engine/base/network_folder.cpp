// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/network_folder.h"

#include <sys/vfs.h>

#include <algorithm>
#include <array>

namespace kw {

bool onNetwork(const std::filesystem::path& folder)
{
    // NFS, SMB, SMB2, CIFS, 9P, AFS, Ceph, Lustre, GFS2, OCFS2, BeeGFS, FUSE (sshfs and others)
    constexpr std::array<std::uint32_t, 12> remote{0x6969, 0x517B, 0xFE534D42, 0xFF534D42, 0x01021997, 0x5346414F, 0x00C36400,
        0x0BD00BD0, 0x01161970, 0x7461636F, 0x19830326, 0x65735546};
    struct statfs found {};
    if (::statfs(folder.empty() ? "." : folder.c_str(), &found) != 0)
        return false;
    return std::find(remote.begin(), remote.end(), static_cast<std::uint32_t>(found.f_type)) != remote.end();
}

} // namespace kw
