#include "sampler/pulse.h"
