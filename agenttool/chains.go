package agenttool

// Chains groups the jobs as Execute does: the indexes of a chain run one
// after another, in order, and chains run side by side. Every job is in one
// chain, and chains come in the order of their first jobs. A batch that runs
// serially, because of the executor or of a tool in it, is one chain;
// otherwise the jobs of one resource are a chain, and each other job is one of
// its own.
func (e Executor) Chains(jobs []Job) [][]int {
	return e.plan(jobs).chains
}

// plan is how a batch is to be run.
type plan struct {
	chains [][]int
	limit  int // of chains that run at a time

	// faults has the error of each job whose tool panics when asked how it
	// runs beside others. Such a job completes with the error.
	faults map[int]error
}

func (e Executor) plan(jobs []Job) plan {
	if len(jobs) == 0 {
		return plan{}
	}
	p := plan{limit: e.limit(), chains: make([][]int, 0, len(jobs))}
	order := make([]int, len(jobs))
	var chainOf map[string]int // by resource
	for i, job := range jobs {
		order[i] = i
		resource, sequential, err := claims(job.Tool)
		if err != nil {
			if p.faults == nil {
				p.faults = map[int]error{}
			}
			p.faults[i] = err
		}
		if sequential {
			p.limit = 1
		}
		if resource != "" {
			if c, ok := chainOf[resource]; ok {
				p.chains[c] = append(p.chains[c], i)
				continue
			}
			if chainOf == nil {
				chainOf = map[string]int{}
			}
			chainOf[resource] = len(p.chains)
		}
		p.chains = append(p.chains, order[i:i+1:i+1])
	}
	if p.limit == 1 {
		p.chains = append(p.chains[:0], order)
	}
	return p
}

func (e Executor) limit() int {
	switch {
	case e.Sequential:
		return 1
	case e.MaxParallel <= 0:
		return DefaultMaxParallel
	default:
		return e.MaxParallel
	}
}

// claims reads what a tool, which may be nil, says about running beside
// others.
func claims(t Tool) (resource string, sequential bool, err error) {
	defer recoverTool(t, &err)
	if sequential = IsSequential(t); sequential {
		return "", true, nil
	}
	return declaredResource(t), false, nil
}
