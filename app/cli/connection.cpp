// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/connection.h"

#include <atomic>
#include <csignal>

namespace kw::cli {
namespace {

std::atomic<bool> signalled{false};

void onSignal(int number)
{
    if (signalled.exchange(true))
        std::_Exit(128 + number);
}

} // namespace

bool interrupted()
{
    static const bool installed = [] {
        std::signal(SIGINT, &onSignal);
        std::signal(SIGTERM, &onSignal);
        return true;
    }();
    return installed && signalled.load();
}

int stopInterrupted(const Options& options, Connection& connection)
{
    Command stop;
    stop.kind = CommandKind::Stop;
    if (connection.host)
        (void)connection.client->send(stop);
    std::fprintf(stderr, "%s\n", say(options, Message("cli.interrupted").with("folder", options.session.string())).c_str());
    return Interrupted;
}

Result<Connection> connect(const Options& options, Want want)
{
    Connection connection;
    if (auto attached = attach(options.session)) {
        connection.client = *std::move(attached);
        return connection;
    }
    HostOptions hosting;
    hosting.folder = options.session;
    hosting.model = options.model;
    hosting.readOnly = want == Want::Look;
    hosting.listen = want == Want::Steer;
    hosting.profileAtOnce = want == Want::Steer;
    hosting.unsafe = options.unsafe;
    hosting.seed = options.seed;
    KW_TRY(connection.host, SessionHost::start(std::move(hosting)));
    connection.client = connection.host->client();
    return connection;
}

} // namespace kw::cli
