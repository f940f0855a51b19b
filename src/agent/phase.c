#include "agent/phase.h"

#include <stdatomic.h>
#include <stddef.h>

static _Atomic(enum phase) the_phase;
static struct agent *the_agent;
static atomic_bool is_down;

static bool is_one_of(unsigned phases)
{
	return phases >> atomic_load(&the_phase) & 1;
}

enum phase phase_now(void)
{
	return atomic_load(&the_phase);
}

bool phase_pass(enum phase from, enum phase to)
{
	return atomic_compare_exchange_strong(&the_phase, &from, to);
}

void phase_set(enum phase phase)
{
	atomic_store(&the_phase, phase);
}

void phase_of(struct agent *agent)
{
	the_agent = agent;
}

struct agent *phase_agent(void)
{
	return is_one_of(1u << PHASE_LOADED | 1u << PHASE_LIVE | 1u << PHASE_CLOSING |
			 1u << PHASE_ENDING) ? the_agent : NULL;
}

bool phase_has_engine(void)
{
	return is_one_of(1u << PHASE_LIVE | 1u << PHASE_ENDING);
}

bool phase_is_ending(void)
{
	return atomic_load(&is_down);
}

void phase_say_ending(void)
{
	atomic_store(&is_down, true);
}
