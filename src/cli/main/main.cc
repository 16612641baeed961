#include "cli/commands.h"

int main(int argc, char** argv) { return millwright::cli::Main(argc, argv); }
