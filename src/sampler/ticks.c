#include "sampler/ticks.h"
