/* What Python may call; `solver.py` gives this file to cffi as it stands. */
typedef struct Solver Solver;

Solver *solver_new(int seats, int classes, const int *copies, int with_vira, int top,
                   const int *values, int target, int scores, unsigned long long seed,
                   int log2_slots);
void solver_free(Solver *s);
void solver_equity(Solver *s, const double *equity);
int solver_run(Solver *s, long from, long count, long total, int seat_only);
long solver_size(const Solver *s);
long solver_export(const Solver *s, unsigned long long *keys, float *average, float *regret);
int solver_import(Solver *s, long count, const unsigned long long *keys, const float *average,
                  const float *regret);
void solver_against(Solver *s, const Solver *fixed);
double solver_match_up(Solver *mine, Solver *theirs, long hands, double *error);
void solver_results(Solver *s, long hands, double *shares);
int solver_outcomes(Solver *s, long hands);
void solver_export_outcomes(const Solver *s, float *out);
void solver_special(Solver *s, long hands, unsigned long long *keys, signed char *results);
