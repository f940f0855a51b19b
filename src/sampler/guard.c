#include "sampler/guard.h"
