#include "agent/control.h"
