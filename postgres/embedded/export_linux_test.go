package embedded

import "os/exec"

func detach(cmd *exec.Cmd) { cmd.SysProcAttr.Pdeathsig = 0 }
