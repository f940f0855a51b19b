#include "engine/stack.h"
