// Purpose: `assay-launch --serve`: many launches, one after the other, from one small process.
//
//   return assay::serve_launches(socket, pid_file);
//
// It writes `launch_greeting` to the socket, then answers each request there with the one JSON
// line that a single launch reports. A request is its length (32 bits, as the machine orders
// them), sent with three descriptors: the program's standard output, its standard error and its
// working directory; then the text that launch_request.hpp describes.
//
// The program leads a session of its own, and no process that it started is left when the answer is
// sent (descendants.hpp). Of output into memory files only the end is kept (output_limit.hpp). When
// the other end of the socket closes, because its process ended or stops the launch, the program's
// process group is killed and the server ends. The server sees this by the socket, not by
// PR_SET_PDEATHSIG, which would follow the thread that started the server.
//
// Thread safety: call it from the only thread of a process.
//
// Cost to the measurement: the clock runs as in launch.hpp. Between two programs there is no fork
// and no exec but the program's own. Pinning is done before the clock starts, for every request
// anew: moving to another CPU must not count as the program's time.
#pragma once

#include <string_view>

namespace assay {

inline constexpr std::string_view launch_greeting = "assay-launch serves 1\n";

/// Serves until the socket closes. `pid_file` holds the running program's process id in its first
/// four bytes, or 0: it can be read without waking anyone. Returns the exit code.
int serve_launches(int socket, int pid_file);

}  // namespace assay
