// The scripts of the appliance, run by sh with the folders of the machine in a temporary one.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { suite } from 'uvu'
import { root } from '../../house/sources.ts'

const test = suite('scripts of the appliance')

const FILES = join(root, 'firmware-pack/appliance/files')
const SCRIPTS = 'usr/lib/headend-appliance'
const DATABASE = 'var/lib/headend/headend.sqlite'

const folders: string[] = []
test.after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

/** Programs of the machine, which note their arguments. `grub-editenv` has variables in lines of text. */
const PROGRAMS: Readonly<Record<string, string>> = {
  mount: '',
  umount: '',
  rauc: '',
  systemctl: '',
  'grub-editenv': `case $2 in
  create) : >"$1" ;;
  list) grep = "$1" ;;
  set) file=$1; shift 2; printf '%s\\n' "$@" >>"$file" ;;
esac`
}

/** A machine with an image of this name in slot A or B. */
class Machine {
  readonly folder = mkdtempSync(join(tmpdir(), 'headend-appliance-'))

  constructor() {
    folders.push(this.folder)
    for (const [name, body] of Object.entries(PROGRAMS)) {
      this.write(`bin/${name}`, `#!/bin/sh\necho ${name} "$@" >>${this.folder}/calls\n${body}\n`)
      chmodSync(join(this.folder, 'bin', name), 0o755)
    }
    this.write('data/boot/none', '')
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true })
    writeFileSync(join(this.folder, path), text)
  }

  read(path: string): string | undefined {
    const file = join(this.folder, path)
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined
  }

  /** Commands that the scripts have run of these programs. */
  calls(program: string): string[] {
    return (this.read('calls') ?? '').split('\n').filter((line) => line.startsWith(`${program} `))
  }

  /** Runs a script in a slot with an image. @returns its output */
  run(script: string, slot: 'A' | 'B', image: string, expectedStatus = 0): string {
    const scripts = join(this.folder, SCRIPTS)
    cpSync(join(FILES, SCRIPTS), scripts, { recursive: true })
    this.write(`${SCRIPTS}/image`, `${image}\n`)
    this.write('proc/cmdline', `root=PARTLABEL=root${slot} rauc.slot=${slot} quiet\n`)
    for (const name of readdirSync(scripts)) {
      const text = readFileSync(join(scripts, name), 'utf8')
      const moved = text.replaceAll(
        /(?<=[\s"=(])\/(usr\/lib\/headend-appliance|data|var\/lib|proc|boot|run)\b/g,
        `${this.folder}/$1`
      )
      writeFileSync(join(scripts, name), moved)
    }
    mkdirSync(join(this.folder, 'run'), { recursive: true })
    const env = { ...process.env, PATH: `${this.folder}/bin:${process.env.PATH}` }
    const { status, stdout, stderr } = spawnSync('sh', [join(scripts, script)], { encoding: 'utf8', env })
    assert.equal(status, expectedStatus, stderr)
    return stdout
  }
}

test('all scripts are valid for the shell that runs them', () => {
  const scripts = readdirSync(join(FILES, SCRIPTS)).filter((name) => !name.endsWith('.mts'))
  const paths = scripts.map((name) => join(SCRIPTS, name))
  for (const name of ['hooks', 'scripts/local-bottom']) paths.push(`usr/share/initramfs-tools/${name}/headend`)
  for (const path of paths) {
    const { status, stderr } = spawnSync('sh', ['-n', join(FILES, path)], { encoding: 'utf8' })
    assert.equal(status, 0, stderr)
  }
})

test('the database of before an update is back when its image was not marked good', () => {
  const machine = new Machine()
  machine.write('data/boot/good-A', 'old\n')
  machine.write(DATABASE, 'before')
  machine.write(`${DATABASE}-wal`, 'wal before')
  machine.run('protect-database', 'B', 'new')
  machine.write(DATABASE, 'migrated')
  machine.write(`${DATABASE}-shm`, 'of the new one')
  // The second try keeps the copy of the first one.
  machine.run('protect-database', 'B', 'new')
  assert.match(machine.run('protect-database', 'A', 'old'), /^The update failed\./)
  assert.deepEqual([machine.read(DATABASE), machine.read(`${DATABASE}-wal`)], ['before', 'wal before'])
  assert.equal(machine.read(`${DATABASE}-shm`), undefined)
  machine.write(DATABASE, 'later')
  assert.equal(machine.run('protect-database', 'A', 'old'), '')
  assert.equal(machine.read(DATABASE), 'later')
})

test('a good image keeps its database, and so does the first start of a machine', () => {
  const machine = new Machine()
  machine.run('protect-database', 'A', 'first')
  assert.deepEqual(readdirSync(join(machine.folder, 'data')), ['boot'])
  machine.write(DATABASE, 'rows')
  machine.write('data/boot/good-A', 'first\n')
  machine.run('protect-database', 'A', 'first')
  assert.deepEqual([machine.read(DATABASE), machine.read('data/trial/image')], ['rows', undefined])
})

test('a restore that was interrupted is repeated', () => {
  const machine = new Machine()
  machine.write('data/boot/good-A', 'old\n')
  machine.write(DATABASE, 'before')
  machine.run('protect-database', 'B', 'new')
  rmSync(join(machine.folder, DATABASE))
  machine.run('protect-database', 'A', 'old')
  assert.deepEqual([machine.read(DATABASE), machine.read('data/trial/image')], ['before', undefined])
})

const GRUBENV = 'boot/efi/grub/grubenv'

test('a damaged environment of GRUB is made anew from its copy, and the preferred slot starts', () => {
  const machine = new Machine()
  machine.write(GRUBENV, 'ORDER=B A\nA_TRY=1\n')
  machine.run('keep-grubenv', 'B', 'new')
  assert.equal(machine.run('check-grubenv', 'B', 'new'), '')
  machine.write(GRUBENV, 'garbage')
  // A copy of a damaged one would be worth nothing.
  machine.run('keep-grubenv', 'B', 'new')
  assert.match(machine.run('check-grubenv', 'A', 'old', 1), /made anew\.\nRestarting into slot B\./)
  assert.equal(machine.read(GRUBENV), 'ORDER=B A\nA_TRY=1\n')
  assert.deepEqual(machine.calls('systemctl'), ['systemctl reboot'])
})

test('without a copy of the environment the running slot is preferred', () => {
  const machine = new Machine()
  machine.write(GRUBENV, 'ORDER=')
  machine.run('check-grubenv', 'B', 'new')
  assert.match(machine.read(GRUBENV) ?? '', /^ORDER=B A\n/)
  assert.deepEqual(machine.calls('systemctl'), [])
})

test('a bundle is installed once, and none while an image is on trial', () => {
  const machine = new Machine()
  machine.write('run/headend-bundle/headend.raucb', 'signed content')
  assert.match(machine.run('install-bundle', 'A', 'old', 1), /on trial/)
  assert.deepEqual(machine.calls('rauc'), [])
  machine.write('data/boot/good-A', 'old\n')
  assert.match(machine.run('install-bundle', 'A', 'old'), /Restarting/)
  assert.equal(machine.run('install-bundle', 'A', 'old'), '')
  assert.equal(machine.calls('rauc').length, 1)
  assert.deepEqual(machine.calls('systemctl'), ['systemctl reboot'])
  assert.equal(machine.calls('umount').length, machine.calls('mount').length)
  machine.write('run/headend-bundle/headend.raucb', 'another bundle')
  machine.run('install-bundle', 'A', 'old')
  assert.equal(machine.calls('rauc').length, 2)
})

test.run()
