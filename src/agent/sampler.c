#include "agent/sampler.h"
