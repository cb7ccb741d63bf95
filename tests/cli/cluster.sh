# `tycho sweep` on ranks of mpirun and as a job array of a one-node Slurm that this test starts: the same table as on one process, after kills too.
# TYCHO_LONG=1: also the 200 runs of sweeps/slope_soil.yaml on 1 and 2 processes, 3 ranks and by Slurm.
. "$(dirname "$0")/lib.sh"
quick=(--quiet --no-pictures)
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl_base_warn_component_unused=0
ranks() { local n=$1; shift; timeout 600 mpirun --oversubscribe -n "$n" "$TYCHO" "$@"; }
long() { [ "${TYCHO_LONG:-}" = 1 ]; }
slurm=
trap '[ -n "$slurm" ] && kill $(cat "$work"/slurm/*.pid) 2>/dev/null; sleep 0.3; rm -rf "$work"' EXIT

printf 'version: 1\nname: plain\nmodel: trouble\nset: ["wait=0.03"]\ndesign: latin\nruns: 60\nvary: [{key: x, as: uniform, from: -1, to: 1}]\nsuccess: [{key: y, most: 0.25}]\nworst: {count: 0}\n' >"$work/plain.yaml"
check "1 process" "$TYCHO" sweep "$work/plain.yaml" "${quick[@]}" -j 1 -o "$work/one"
s=sweeps/slope_soil.yaml
took() { local name=$1 start=$SECONDS; shift; check "200 runs, $name" "$@"; echo "200 runs, $name: $((SECONDS - start)) s"; }
equal200() { same_sweep "$work/long1" "$work/$1" && [ "$(grep -c ',done,' "$work/$1/runs.csv")" = 200 ] && ok || bad "another table of 200 runs: $1"; }
if long; then
    took "1 process" "$TYCHO" sweep $s "${quick[@]}" -j 1 -o "$work/long1"
    took "2 processes" "$TYCHO" sweep $s "${quick[@]}" -j 2 -o "$work/long2"
    equal200 long2
    mkdir "$work/other"; cp "$work"/long1/* "$work/other/" 2>/dev/null; sed -i '$ s/$/0/' "$work/other/runs.csv"
    same_sweep "$work/long1" "$work/other" >/dev/null 2>&1 && bad "control: a table with another last digit is the same" || ok
fi

if [ -e "$(dirname "$TYCHO")/libtycho_mpi.so" ] && command -v mpirun >/dev/null; then
    check "3 ranks" ranks 3 sweep "$work/plain.yaml" "${quick[@]}" -o "$work/m3"
    same_sweep "$work/one" "$work/m3" && ok || bad "another table on 3 ranks"
    long && took "3 ranks" ranks 3 sweep $s "${quick[@]}" -o "$work/longm" && equal200 longm
    refuse "1 rank" "there is 1 rank, but a sweep on ranks takes" timeout 60 "$TYCHO" sweep "$work/plain.yaml" --mpi -o "$work/no"
    ranks 3 sweep "$work/plain.yaml" --set vary.0.to=-2 "${quick[@]}" -o "$work/no" >/dev/null 2>"$work/err"
    [ "$(grep -c 'the range is empty' "$work/err")" = 1 ] && [ ! -e "$work/no" ] && ok || bad "wrong input on ranks: $(cat "$work/err")"
    # a rank is killed: mpirun ends the job, a second call goes on; so it does after the master, and after all of them
    RANDOM=7
    for ((k = 0; k < 3; k++)); do
        setsid timeout 120 mpirun --oversubscribe -n 3 "$TYCHO" sweep "$work/plain.yaml" "${quick[@]}" -o "$work/mk$k" >/dev/null 2>&1 & job=$!
        sleep "$(printf 0.%02d $((50 + RANDOM % 49)))"
        all=($(pgrep -f "sweep $work/plain.yaml .*-o $work/mk$k" | while read -r p; do [ "$(readlink "/proc/$p/exe")" = "$(realpath "$TYCHO")" ] && echo "$p"; done))
        case $k in 0) victim=${all[0]:-} ;; 1) victim=${all[1]:-} ;; 2) victim="${all[*]}" ;; esac
        [ -n "$victim" ] && kill -9 $victim 2>/dev/null
        wait $job 2>/dev/null
        check "after kill $k on ranks" ranks 3 sweep "$work/plain.yaml" "${quick[@]}" -o "$work/mk$k"
        same_sweep "$work/one" "$work/mk$k" && ok || bad "another table after kill $k on ranks"
    done
    # a rank that waits sleeps: a sweep of sleeping runs costs the processors next to nothing
    start=$(awk '{print $14 + $15 + $16 + $17}' /proc/$$/stat)
    check "idle" ranks 2 sweep "$work/plain.yaml" --set runs=4 --set 'set=["wait=0.5"]' "${quick[@]}" --no-report -o "$work/idle"
    used=$(($(awk '{print $14 + $15 + $16 + $17}' /proc/$$/stat) - start))
    [ $used -lt 150 ] && ok || bad "waiting for 2 s cost $used hundredths of a second"
else
    echo "ranks are left out: built without OpenMPI, or there is no mpirun"
    refuse "no MPI" "built without MPI" "$TYCHO" sweep "$work/plain.yaml" --mpi -o "$work/no"
fi

refuse "no Slurm" "there is no Slurm here: the program sbatch is not found" env PATH=/bin:"$work" bash -c '[ -x /bin/sbatch ] && echo "tycho: there is no Slurm here: the program sbatch is not found" >&2 && exit 2; exec "$@"' x "$TYCHO" sweep "$work/plain.yaml" --slurm -o "$work/no"
if command -v slurmctld >/dev/null && command -v slurmd >/dev/null && [ "$(id -u)" = 0 ]; then
    d=$work/slurm; mkdir -p "$d/state" "$d/spool"; export SLURM_CONF=$d/slurm.conf
    port=$((20000 + $$ % 20000))
    cat >"$d/slurm.conf" <<C
ClusterName=tycho
SlurmctldHost=$(hostname)(127.0.0.1)
SlurmUser=root
AuthType=auth/none
CredType=cred/none
SlurmctldPort=$port
SlurmdPort=$((port + 1))
StateSaveLocation=$d/state
SlurmdSpoolDir=$d/spool
SlurmctldPidFile=$d/ctld.pid
SlurmdPidFile=$d/slurmd.pid
SlurmctldLogFile=$d/ctld.log
SlurmdLogFile=$d/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SchedulerParameters=sched_min_interval=100000,batch_sched_delay=0
NodeName=$(hostname) NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
C
    slurm=1
    if timeout 20 slurmctld -c && timeout 20 slurmd && for i in 1 2 3 4 5 6 7 8 9 10; do timeout 5 sinfo -h -o %t 2>/dev/null | grep -q idle && break; sleep 0.5; done && timeout 5 sinfo -h -o %t | grep -q idle; then
        check "a job array" timeout 300 "$TYCHO" sweep "$work/plain.yaml" --slurm --wait -j 4 -o "$work/array"
        grep -q 'as 4 tasks; Slurm.s jobs' "$work/out" && ok || bad "it does not name its jobs: $(cat "$work/out")"
        [ -e "$work/array/runs.csv" ] && same_sweep "$work/one" "$work/array" && ok || bad "another table by Slurm: $(cat "$work"/array/slurm-*.out | head -c 400)"
        long && took "Slurm" timeout 600 "$TYCHO" sweep $s --slurm --wait -j 4 -o "$work/longs" && equal200 longs
    else
        echo "Slurm is left out: it does not start here: $(tail -n 1 "$d/ctld.log")"
    fi
else
    echo "Slurm is left out: slurmctld and slurmd are not installed, or this is not root"
fi
finish
