// A Debian that systemd has booted, as a machine of QEMU. Tests run commands as root at its serial console.
import { execFileSync } from 'node:child_process'
import type { KeyObject } from 'node:crypto'
import { copyFileSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { debianSources, ownRelease } from '../../../firmware-pack/appliance/debian-sources.ts'
import type { DebianPackage } from '../../../firmware-pack/debian-package.ts'
import { relatedPackages } from '../../../firmware-pack/debian-package.ts'
import { exportPublicKey } from '../../../firmware-pack/keys.ts'
import { missingForVirtualMachine, VirtualMachine } from './virtual-machine.ts'

/** What it needs; undefined if nothing is missing. */
export const missingForBootedDebian = () => missingForVirtualMachine(['/usr/bin/mmdebstrap', '/sbin/mke2fs'])

/** What a machine has that boots and is used at its console. */
const PACKAGES = ['curl', 'dbus', 'initramfs-tools', 'kmod', 'linux-image-cloud-amd64', 'systemd-sysv', 'udev']

const KERNEL_ARGUMENTS = 'root=/dev/vda rw console=ttyS0,115200 quiet loglevel=1 systemd.show_status=false panic=5'

const FILES: Readonly<Record<string, string>> = {
  'etc/fstab': '/dev/vda / ext4 defaults 0 1\n',
  'etc/hostname': 'headend\n',
  'etc/hosts': '127.0.0.1 localhost headend\n',
  'etc/systemd/system/serial-getty@ttyS0.service.d/shell.conf':
    '[Service]\nExecStart=\nExecStart=-/sbin/agetty --autologin root --keep-baud 115200 %I dumb\n'
}

export class BootedDebian {
  readonly #folder = mkdtempSync(join(tmpdir(), 'headend-debian-'))
  readonly #port: number
  #machine: VirtualMachine | undefined
  #commands = 0

  /** @param port of 127.0.0.1 at which its port 80 is reached */
  constructor(port: number) {
    this.#port = port
  }

  /** Makes its disk, with what a package needs and recommends, and the file of the package in /srv. */
  create(debianPackage: DebianPackage): void {
    const [tree, disk] = [join(this.#folder, 'tree'), join(this.#folder, 'disk.img')]
    const related = ['Depends', 'Recommends'].flatMap((field) => relatedPackages(debianPackage, field))
    const include = [...PACKAGES, ...related].join(',')
    const options = ['--quiet', '--variant=minbase', `--include=${include}`]
    const command = ['--mount', 'mmdebstrap', ...options, ownRelease() ?? 'stable', tree, ...debianSources()]
    // In a mount namespace, so that its mounts end with it also when it is killed.
    execFileSync('unshare', command, { stdio: ['ignore', 'ignore', 'inherit'] })
    for (const [path, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(tree, path)), { recursive: true })
      writeFileSync(join(tree, path), text)
    }
    copyFileSync(debianPackage.path, join(tree, 'srv', basename(debianPackage.path)))
    const [image, initrd] = ['vmlinuz-*', 'initrd.img-*'].map((pattern) => {
      const [found = ''] = globSync(join(tree, 'boot', pattern))
      const copy = join(this.#folder, basename(found))
      copyFileSync(found, copy)
      return copy
    }) as [string, string]
    execFileSync('/sbin/mke2fs', ['-q', '-t', 'ext4', '-d', tree, disk, '6G'])
    rmSync(tree, { recursive: true })
    const kernel = { image, initrd, command: KERNEL_ARGUMENTS }
    this.#machine = new VirtualMachine({ folder: this.#folder, disk, port: this.#port, kernel })
  }

  get #created(): VirtualMachine {
    if (!this.#machine) throw new Error('It has no disk')
    return this.#machine
  }

  /** Switches it on, and waits until commands can be run. */
  async start(): Promise<void> {
    this.#created.start()
    await this.waitForShell()
  }

  /** Waits until commands can be run after a start. */
  async waitForShell(): Promise<void> {
    await this.#created.waitFor(/root@[\w-]+:~# /)
  }

  /**
   * Runs shell commands as root.
   * @returns their output
   * @throws Error with the output when one fails
   */
  async run(commands: string): Promise<string> {
    const number = ++this.#commands
    const encoded = Buffer.from(commands).toString('base64')
    // The console shows the line, too, which therefore does not contain the words that are waited for.
    this.#created.type(
      `printf 'begin-%s\\n' ${number}; echo ${encoded} | base64 -d >/run/commands; bash -e /run/commands </dev/null 2>&1; printf 'end-%s %s\\n' ${number} $?\n`
    )
    const [, output = '', status] = await this.#created.waitFor(
      new RegExp(`begin-${number}\\r?\\n([^]*?)end-${number} (\\d+)\\r?\\n`)
    )
    await this.waitForShell()
    const text = output.replaceAll('\r', '')
    if (status !== '0') throw new Error(`Status ${status} of: ${commands}\n${text}`)
    return text
  }

  /** Installs the package of its disk, and waits until its hub answers. */
  async installPackage(): Promise<void> {
    await this.run('apt-get -q install -y /srv/headend_*.deb')
    await this.waitForHub()
  }

  /** The code with which Admin signs in for the first time from another machine. */
  async setupCode(): Promise<string> {
    const lines = await this.run("journalctl --unit headend --output cat | grep 'Setup code'")
    return /^Setup code: (\S+)/.exec(lines)?.[1] ?? ''
  }

  /** Makes its hub accept updates that are signed with a key. */
  async trust(publicKey: KeyObject): Promise<void> {
    await this.run(`mkdir -p /etc/headend; cat >/etc/headend/trusted-keys.pem <<'END'
${exportPublicKey(publicKey)}END
systemctl restart headend-updater headend`)
    await this.waitForHub()
  }

  /** Waits until a hub answers on it. */
  async waitForHub(): Promise<void> {
    // curl tries again each 5 s; a loop of programs would take much of an emulated processor.
    await this.run('curl --silent --fail --retry 9999 --retry-delay 5 --retry-all-errors http://127.0.0.1/healthz')
  }

  /** Cuts its power. */
  async cutPower(): Promise<void> {
    await this.#created.cutPower()
  }

  /** Switches it off and deletes its disk. */
  async close(): Promise<void> {
    await this.#machine?.cutPower()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
