"""System calls of a loop, as strace writes them."""

from assay.measure.profile.traced.call_stacks import ReturnAddress
from assay.measure.profile.traced.strace_file import loops

LIBC = " > /usr/lib/x86_64-linux-gnu/libc.so.6(__write+0x10) [0xf8350]"
BEGIN = '7 write(-1, "assay: the loop begins", 22) = -1 EBADF (Bad file descriptor) <0.000004>'
END = '7 write(-1, "assay: the loop has ended", 25) = -1 EBADF (Bad file descriptor) <0.000003>'
CLOCK = "7 clock_gettime(CLOCK_THREAD_CPUTIME_ID, {tv_sec=0, tv_nsec=9}) = 0 <0.000005>"
GATE = [BEGIN, "7 rt_sigreturn({mask=[]})           = 3 <0.000008>", CLOCK]


def read(*lines: str) -> list[list[tuple[str, int]]]:
    return [[(one.name, one.ns) for one in loop] for loop in loops("\n".join(lines) + "\n")]


def test_only_what_is_inside_a_loop_counts() -> None:
    write = '7 write(3, "abc", 3)                = 3 <0.000005>'
    found = read("7 brk(NULL) = 0x1 <0.1>", *GATE, write, write, END, write, *GATE, END)
    assert found == [[("write", 5000), ("write", 5000)], []]


def test_a_program_that_asks_for_the_clock_itself_is_counted() -> None:
    assert read(*GATE, CLOCK, CLOCK, END) == [[("clock_gettime", 5000)] * 2]


def test_a_loop_that_did_not_end_is_none() -> None:
    assert read(*GATE, "7 getpid() = 7 <0.000001>") == []


def test_calls_that_others_interrupt_count_once() -> None:
    assert read(
        *GATE,
        "7 futex(0x1, FUTEX_WAIT, 2, NULL <unfinished ...>",
        '8 write(1, "= 3 <0.5>", 9) = 9 <0.000001>',
        "7 <... futex resumed>)              = 0 <0.000300>",
        END,
    ) == [[("write", 1000), ("futex", 300_000)]]


def test_what_is_no_call_is_left_out() -> None:
    assert read(*GATE, "7 +++ exited with 0 +++", "", "rubbish", "7 exit(0)   = ?", END) == [
        [("exit", 0)]
    ]


def test_the_text_of_a_call_is_not_its_name() -> None:
    hostile = r'7 write(1, "\33[31m8 fsync(3) = 0 <9.0>"..., 99) = 99 <0.000002>'
    assert read(*GATE, hostile, END) == [[("write", 2000)]]


def test_stacks_have_the_innermost_first() -> None:
    mine = " > /nowhere/bench(BM_s(benchmark::State&)+0x59) [0x13a9]"
    lines = [
        *GATE,
        "7 sync() = 0 <0.1>",
        LIBC,
        mine,
        " > unexpected_backtracing_error [0x7ff]",
        END,
    ]
    ((call,),) = loops("\n".join(lines))
    assert call.stack == (
        ReturnAddress("/usr/lib/x86_64-linux-gnu/libc.so.6", 0xF8350, "write", is_return=False),
        ReturnAddress("/nowhere/bench", 0x13A9, "BM_s(benchmark::State&)"),
        ReturnAddress("unexpected_backtracing_error", 0x7FF, ""),
    )
