// The one object file in which the judge_power executables differ.
#include "judge_power_work.hpp"

extern const volatile int injected_percent = INJECTED_PERCENT;
