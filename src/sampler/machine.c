#include "sampler/machine.h"

#include <errno.h>
#include <ucontext.h>

#include "base/peek.h"

#if defined(__x86_64__) || defined(__aarch64__)

/* The frame pointer of the caller is there, and where it goes on. */
static void leave_frame(struct machine *machine, uintptr_t frame)
{
	machine->fp = peek_word(frame);
	machine->pc = peek_word(frame + sizeof(uintptr_t));
	machine->sp = frame + 2 * sizeof(uintptr_t);
	if (machine->link)
		machine->link = machine->pc;
}

#endif

/* What differs between processors: where registers are, and how it calls the system. */
#if defined(__x86_64__)

struct machine machine_of(const void *context)
{
	const greg_t *registers = ((const ucontext_t *)context)->uc_mcontext.gregs;

	return (struct machine){
		.pc = (uintptr_t)registers[REG_RIP],
		.sp = (uintptr_t)registers[REG_RSP],
		.fp = (uintptr_t)registers[REG_RBP],
	};
}

void machine_set(void *context, const struct machine *machine)
{
	greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;

	registers[REG_RIP] = (greg_t)machine->pc;
	registers[REG_RSP] = (greg_t)machine->sp;
	registers[REG_RBP] = (greg_t)machine->fp;
}

static long result_of(const void *context)
{
	return (long)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RAX];
}

/* The caller's address lies on the stack, below what the function pushes. */
static void leave_begun(struct machine *machine)
{
	machine->pc = peek_word(machine->sp);
	machine->sp += sizeof(uintptr_t);
}

static void leave_pushed(struct machine *machine)
{
	leave_frame(machine, machine->sp);
}

/* Behind the frame: a comparison of eight bytes, and a jump of six. */
#define ENTRY_SIZE 16

/* There are not more signals that could come together. */
#define SIGNALS 64

/* A handler begins with where it returns to, the same for all, and then its context. */
void *machine_beneath(void *context)
{
	const uintptr_t back = peek_word((uintptr_t)context - sizeof(back));
	uintptr_t stack = machine_of(context).sp;

	/* A context that is a copy, as ThreadSanitizer's, has nothing there. */
	for (int i = 0; back && i < SIGNALS && peek_word(stack) == back; i++) {
		context = (void *)(stack + sizeof(back));
		stack = machine_of(context).sp;
	}
	return context;
}

static const unsigned char system_call[] = { 0x0f, 0x05 };

#elif defined(__aarch64__)

#define FRAME_POINTER 29
#define LINK 30

struct machine machine_of(const void *context)
{
	const mcontext_t *registers = &((const ucontext_t *)context)->uc_mcontext;

	return (struct machine){
		.pc = registers->pc,
		.sp = registers->sp,
		.fp = registers->regs[FRAME_POINTER],
		.link = registers->regs[LINK],
	};
}

void machine_set(void *context, const struct machine *machine)
{
	mcontext_t *registers = &((ucontext_t *)context)->uc_mcontext;

	registers->pc = machine->pc;
	registers->sp = machine->sp;
	registers->regs[FRAME_POINTER] = machine->fp;
	registers->regs[LINK] = machine->link;
}

static long result_of(const void *context)
{
	return (long)((const ucontext_t *)context)->uc_mcontext.regs[0];
}

static void leave_begun(struct machine *machine)
{
	machine->pc = machine->link;
}

static void leave_pushed(struct machine *machine)
{
	leave_frame(machine, machine->fp);
}

/* Behind the frame: two loads, a comparison, a jump, and what may be between them. */
#define ENTRY_SIZE 32

/* Where a handler returns to is in no register that is the same for all. */
void *machine_beneath(void *context)
{
	return context;
}

static const unsigned char system_call[] = { 0x01, 0x00, 0x00, 0xd4 };

#else

struct machine machine_of(const void *context)
{
	(void)context;
	return (struct machine){ .pc = 0 };
}

void machine_set(void *context, const struct machine *machine)
{
	(void)context;
	(void)machine;
}

bool machine_go(struct machine *machine, enum machine_way way)
{
	(void)machine;
	(void)way;
	return false;
}

void *machine_beneath(void *context)
{
	return context;
}

bool machine_is_blocked(const void *context)
{
	(void)context;
	return false;
}

#endif

#if defined(__x86_64__) || defined(__aarch64__)

/*
 * HotSpot takes a frame for complete only behind the barrier at a method's entry,
 * though it is made before: a little further on it believes it.
 */
static void go_past_entry(struct machine *machine)
{
	machine->pc += ENTRY_SIZE;
}

static void leave_framed(struct machine *machine)
{
	leave_frame(machine, machine->fp);
}

bool machine_go(struct machine *machine, enum machine_way way)
{
	static void (*const ways[])(struct machine *machine) = {
		[MACHINE_BEGAN] = leave_begun,
		[MACHINE_PUSHED] = leave_pushed,
		[MACHINE_ENTERED] = go_past_entry,
		[MACHINE_FRAMED] = leave_framed,
	};

	ways[way](machine);
	return true;
}

static bool is_system_call(uintptr_t pc)
{
	for (size_t i = 0; i < sizeof(system_call); i++) {
		if (peek_byte(pc + i) != system_call[i])
			return false;
	}
	return true;
}

/* A call that is made again is the next instruction; one that was given up the last. */
bool machine_is_blocked(const void *context)
{
	uintptr_t pc = machine_of(context).pc;

	if (result_of(context) == -EINTR)
		return is_system_call(pc - sizeof(system_call));
	return is_system_call(pc);
}

#endif
