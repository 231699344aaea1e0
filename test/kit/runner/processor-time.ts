// Processor time of a process group, from Linux. Node reports that of its own process alone.
import { readdirSync, readFileSync } from 'node:fs'

/** Milliseconds of a tick, the unit of /proc/<pid>/stat (sysconf(_SC_CLK_TCK) is 100 on Linux). */
const TICK = 10

/** Milliseconds that the processes of a group and their ended children have computed so far. 0 on other systems. */
export function groupProcessorTime(group: number): number {
  let ticks = 0
  try {
    for (const name of readdirSync('/proc')) if (/^\d+$/.test(name)) ticks += ticksIn(name, group)
  } catch {}
  return ticks * TICK
}

function ticksIn(pid: string, group: number): number {
  let text = ''
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    // The process has ended since the folder was read.
    return 0
  }
  // After the name in brackets: state, parent, group, ... and as fields 14 to 17 utime, stime, cutime, cstime.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  if (Number(fields[2]) !== group) return 0
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
}
