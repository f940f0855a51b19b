#include "agent/methodtrace.h"
