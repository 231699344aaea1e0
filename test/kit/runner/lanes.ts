// Which tests run beside which. All lanes run at the same time; each has a number of its files that may run at once.
import { availableParallelism, totalmem } from 'node:os'
import { PORT_RANGES } from '../net/free-port.ts'

export interface Lane {
  name: string
  /** Files of the lane, by their path in the project. A file belongs to the first lane whose pattern matches. */
  files: RegExp
  /** Files of the lane that run at the same time. */
  processes: number
  /** Seconds after which a file is killed. */
  limit: number
  /**
   * Files that one process runs, one after another, as long as none fails or leaves something: loading the product
   * costs more than most of its tests. 1 if absent.
   */
  filesPerProcess?: number
  /** Whether a file runs while no other file does, after all other lanes. */
  isAlone?: boolean
}

/** Seconds after which a file is killed. A busy machine needs many times those of an idle one. */
const LIMIT = 300

/** Bytes that the process of a file takes after several files of the console. */
const MEMORY = 512 * 2 ** 20

const least = 2 * availableParallelism() - 1

/**
 * Files of all lanes that run at the same time: three on two processors, and more while processors are idle, as they
 * are when tests wait. One processor is enough for the streams of a single file. At most as many as there are ranges of
 * ports, and as the memory is enough for.
 */
export const PROCESSES = {
  least,
  most: Math.max(least, Math.min(8 * availableParallelism(), PORT_RANGES, Math.floor(totalmem() / MEMORY)))
}

/**
 * In the order in which a free process looks for the next file: lanes of long files come first, because they would
 * otherwise end last.
 */
export const LANES: readonly Lane[] = [
  { name: 'soak', files: /^test\/soak\//, processes: 1, limit: 3600 },
  // Measurements of latency, below a second.
  {
    name: 'latency',
    files:
      /^test\/(browser\/ndi-router\/matrix|hub\/(http\/many-connections|store\/logs|videohub\/(panel-updates|third-party-clients)))\./,
    processes: 1,
    limit: LIMIT,
    isAlone: true
  },
  // Machines in network namespaces, with the real NDI runtime.
  {
    name: 'ndi',
    files:
      /^test\/(engine\/ndi\/(network\/|(dns-sd|router-search|source-address|transport)\.)|hub\/(ndi\/real-|preview\/ndi-pictures\.)|kit\/ndi\/)/,
    processes: 1,
    limit: LIMIT
  },
  // Hub and engine as processes that die, are stopped and are restarted.
  {
    name: 'supervisor',
    files: /^test\/(supervisor\/|engine\/process\/killed-processes\.)/,
    processes: 1,
    limit: LIMIT
  },
  // Mainly wait. They run from the start, and not last, so that other files use the processors meanwhile.
  {
    name: 'waiting',
    files:
      /^test\/(browser\/machine\/(firewall|ipv6-network)|engine\/(lost-tracks|paused-engine|watch\/channel-watch)|src\/(screens\/wall\/wall|state\/broken-line))\./,
    processes: 1,
    limit: LIMIT
  },
  { name: 'browser', files: /^test\/browser\//, processes: 2, filesPerProcess: 10, limit: LIMIT },
  // Streams, at the speed at which they play.
  { name: 'engine', files: /^test\/engine\//, processes: 3, filesPerProcess: 10, limit: LIMIT },
  { name: 'other', files: /^test\/(?!src\/)/, processes: PROCESSES.most, filesPerProcess: 25, limit: LIMIT },
  // Makes much garbage, which takes several times as long to collect in a process that has run other files.
  { name: 'parser', files: /^test\/src\/preview\/parser\./, processes: 1, limit: LIMIT },
  { name: 'console', files: /^test\/src\//, processes: PROCESSES.most, filesPerProcess: 10, limit: LIMIT }
]

/** Tests of the built console. All others run without a build. */
export const NEEDS_BUILD =
  /^test\/((browser|house|make|soak|supervisor)\/|bundler\/deploy\.|firmware-pack\/(size\/|two-packs\.)|src\/(loader|styles\/bundle)\.)/
