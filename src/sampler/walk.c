#include "sampler/walk.h"
