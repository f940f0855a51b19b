#include "sampler/machine.h"

#include <errno.h>
#include <ucontext.h>

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
static void leave_function(struct machine *machine)
{
	machine->pc = *(const uintptr_t *)machine->sp;
	machine->sp += sizeof(uintptr_t);
}

static void leave_frame(struct machine *machine)
{
	const uintptr_t *pushed = (const uintptr_t *)machine->sp;

	machine->fp = pushed[0];
	machine->pc = pushed[1];
	machine->sp += 2 * sizeof(uintptr_t);
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

static void leave_function(struct machine *machine)
{
	machine->pc = machine->link;
}

static void leave_frame(struct machine *machine)
{
	const uintptr_t *saved = (const uintptr_t *)machine->fp;

	machine->sp = machine->fp + 2 * sizeof(uintptr_t);
	machine->fp = saved[0];
	machine->pc = machine->link = saved[1];
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

bool machine_caller(struct machine *machine, int way)
{
	(void)machine;
	(void)way;
	return false;
}

bool machine_is_blocked(const void *context)
{
	(void)context;
	return false;
}

#endif

#if defined(__x86_64__) || defined(__aarch64__)

bool machine_caller(struct machine *machine, int way)
{
	static void (*const ways[MACHINE_WAYS])(struct machine *machine) = {
		leave_function,
		leave_frame,
	};

	if (way < 0 || way >= MACHINE_WAYS)
		return false;
	ways[way](machine);
	return true;
}

static bool is_system_call(const unsigned char *code)
{
	for (size_t i = 0; i < sizeof(system_call); i++) {
		if (code[i] != system_call[i])
			return false;
	}
	return true;
}

/* A call that is made again is the next instruction; one that was given up the last. */
bool machine_is_blocked(const void *context)
{
	const unsigned char *pc = (const unsigned char *)machine_of(context).pc;

	if (result_of(context) == -EINTR)
		return is_system_call(pc - sizeof(system_call));
	return is_system_call(pc);
}

#endif
