#include "agent/samples.h"
