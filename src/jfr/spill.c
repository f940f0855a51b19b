#include "jfr/spill.h"
