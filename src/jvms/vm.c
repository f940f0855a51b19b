#include "jvms/vm.h"
