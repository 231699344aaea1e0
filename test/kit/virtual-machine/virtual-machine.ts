// A machine of QEMU, with its processor emulated: no right is needed, and it runs everywhere.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'

const QEMU = '/usr/bin/qemu-system-x86_64'
const FIRMWARE = '/usr/share/OVMF'

/** What a machine needs; undefined if nothing is missing. @param programs what its disk needs */
export function missingForVirtualMachine(programs: readonly string[]): string | undefined {
  const missing = [...programs, QEMU, `${FIRMWARE}/OVMF_CODE_4M.fd`].find((path) => !existsSync(path))
  if (missing) return `${missing} is missing. Install: make/install.sh deb appliance virtual-machine`
  return process.getuid?.() === 0 ? undefined : 'Disks of tests are made as root.'
}

/** Address at which the machine reaches 127.0.0.1 of this one. */
export const HOST_ADDRESS = '10.0.2.2'

export interface VirtualMachineOptions {
  /** For the variables of the firmware. */
  folder: string
  disk: string
  /** Port of 127.0.0.1 at which the machine's port 80 is reached. */
  port: number
  /** What is started from these files; by default the firmware starts what is on the disk. */
  kernel?: { image: string; initrd: string; command: string }
}

export class VirtualMachine {
  readonly #options: VirtualMachineOptions
  #child: ChildProcess | undefined
  /** What the machine has printed since its start, and what of it has been waited for. */
  #output = ''
  #seen = 0
  #changed = () => {}

  constructor(options: VirtualMachineOptions) {
    this.#options = options
  }

  /** The arguments of QEMU for what is started. */
  #boot(): string[] {
    const { folder, kernel } = this.#options
    if (kernel) return ['-kernel', kernel.image, '-initrd', kernel.initrd, '-append', kernel.command]
    const variables = join(folder, 'firmware-variables.fd')
    copyFileSync(`${FIRMWARE}/OVMF_VARS_4M.fd`, variables)
    return [
      ...['-drive', `if=pflash,format=raw,readonly=on,file=${FIRMWARE}/OVMF_CODE_4M.fd`],
      ...['-drive', `if=pflash,format=raw,file=${variables}`]
    ]
  }

  /** Switches it on. @param stick an image of a file system that is plugged in */
  start(stick?: string): void {
    const { disk, port } = this.#options
    const drive = (file: string) => ['-drive', `if=virtio,format=raw,file=${file}`]
    const child = spawn(QEMU, [
      ...['-accel', 'tcg,thread=multi', '-M', 'q35', '-m', '1024', '-smp', '2'],
      ...['-display', 'none', '-monitor', 'none', '-serial', 'stdio'],
      ...this.#boot(),
      ...drive(disk),
      ...(stick ? drive(stick) : []),
      ...['-nic', `user,model=virtio-net-pci,hostfwd=tcp:127.0.0.1:${port}-:80`]
    ])
    this.#child = child
    this.#output = ''
    this.#seen = 0
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.#output += text
      this.#changed()
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#output += text
    })
    child.on('exit', () => this.#changed())
  }

  /**
   * Waits until the machine prints what matches, after what has been waited for before. The runner's limit for a file
   * is the only one: how long an emulated machine takes depends on the load of this one.
   * @throws Error with the last lines of the output when the machine is switched off
   */
  async waitFor(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(this.#output.slice(this.#seen))
      if (found) {
        this.#seen += found.index + found[0].length
        return found
      }
      if (this.#child?.exitCode !== null || this.#child.signalCode !== null)
        throw new Error(`The machine has ended without ${pattern}: ${this.#output.slice(-2000)}`)
      await new Promise<void>((resolve) => {
        this.#changed = resolve
      })
    }
  }

  /** Types at the serial console. */
  type(text: string): void {
    this.#child?.stdin?.write(text)
  }

  /** Cuts its power. */
  async cutPower(): Promise<void> {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
}
