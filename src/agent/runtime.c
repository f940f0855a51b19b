#include "agent/runtime.h"
