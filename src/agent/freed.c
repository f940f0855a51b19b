#include "agent/freed.h"
