#include "probe/counters.h"
