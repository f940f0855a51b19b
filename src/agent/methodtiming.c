#include "agent/allobservers.h"
