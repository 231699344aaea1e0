// A small file system for a hub's data folder: a tmpfs in a user and mount namespace of its own. Nothing is mounted on
// this machine; only the processes of the namespace see the file system, and it is gone when they end.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DATABASE_FILE } from '../../../hub/data-folder/entries.ts'
import { type HubProcess, startHubProcess } from './hub-process.ts'

export interface SmallDisk {
  /** The command that executes the command in its further arguments where the file system is. */
  enter: readonly string[]
  /** Path of the file system for such commands. */
  data: string
  /** Starts a hub whose data folder is the file system. */
  startHub(): Promise<HubProcess>
  /** A path of the file system for this process. */
  path(name?: string): string
  /** Writes to a file, `filler`, until the disk has no free byte. */
  fill(): void
  /** Executes SQL on the hub's database. */
  execute(sql: string): void
  /**
   * Holds a read transaction open until the returned function is called: SQLite cannot use the WAL from its beginning
   * again.
   */
  holdSnapshot(): Promise<() => Promise<void>>
  /** Removes the file system. The hub has to be ended before. */
  close(): Promise<void>
}

/** @param size of the file system in MiB */
export async function createSmallDisk(size: number): Promise<SmallDisk> {
  const data = mkdtempSync(join(tmpdir(), 'headend-disk-'))
  const mount = `mount -t tmpfs -o size=${size}m,mode=700 tmpfs '${data}' && echo mounted && exec sleep 600`
  const holder = spawn('unshare', ['--user', '--map-root-user', '--mount', 'sh', '-c', mount], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const [line] = await once(holder.stdout, 'data')
  if (!String(line).includes('mounted')) throw new Error(`No file system: ${line}`)
  const enter = ['nsenter', '--target', String(holder.pid), '--user', '--mount', '--preserve-credentials']
  // Entering the namespace changes the working directory.
  const enterHere = [...enter, 'sh', '-c', `cd '${process.cwd()}' && exec "$0" "$@"`]
  const startNode = (script: string) => {
    const open = `const database = new (require('node:sqlite').DatabaseSync)('${data}/${DATABASE_FILE}', { timeout: 5000 });`
    const [program = '', ...args] = [...enterHere, process.execPath, '-e', open + script]
    return { program, args }
  }
  const path = (name = '') => join(`/proc/${holder.pid}/root`, data, name)
  return {
    enter: enterHere,
    data,
    startHub: () => startHubProcess(data, undefined, undefined, enterHere),
    path,
    fill() {
      for (let size = 1 << 20; size >= 1; size >>= 4)
        try {
          for (;;) appendFileSync(path('filler'), Buffer.alloc(size, 1))
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
        }
    },
    execute(sql) {
      const { program, args } = startNode(`database.exec(${JSON.stringify(sql)})`)
      const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' })
      if (status !== 0) throw new Error(stderr)
    },
    async holdSnapshot() {
      const read = "database.exec('BEGIN; SELECT * FROM setting'); console.log('held'); setInterval(() => {}, 1000)"
      const { program, args } = startNode(read)
      const reader = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] })
      await once(reader.stdout, 'data')
      return async () => {
        reader.kill('SIGKILL')
        await once(reader, 'exit')
      }
    },
    async close() {
      holder.kill('SIGKILL')
      await once(holder, 'exit')
      rmSync(data, { recursive: true, force: true })
    }
  }
}
