#include "engine/repository.h"
