// Purpose: hides the differences between versions of Google Benchmark: 1.8 renamed error_occurred
// and error_message. Private to the bridge.
//
//   if (was_skipped(run)) std::cerr << skip_message(run);
//
// Templates, so that only the branch that fits is compiled. Thread safety: as the run's.
#pragma once

namespace assay {

template <class AnyRun>
bool was_skipped(const AnyRun& run) {
  if constexpr (requires { run.error_occurred; }) {
    return run.error_occurred;
  } else {
    return static_cast<int>(run.skipped) != 0;
  }
}

template <class AnyRun>
auto& skip_message(AnyRun& run) {
  if constexpr (requires { run.error_message; }) {
    return run.error_message;
  } else {
    return run.skip_message;
  }
}

template <class AnyRun>
void mark_as_failed(AnyRun& run) {
  if constexpr (requires { run.error_occurred; }) {
    run.error_occurred = true;
  } else {
    run.skipped = static_cast<decltype(run.skipped)>(2);  // SkippedWithError
  }
}

}  // namespace assay
