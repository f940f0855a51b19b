#include "sampler/machine.h"
