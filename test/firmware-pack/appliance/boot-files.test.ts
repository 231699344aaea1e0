// The script of GRUB, run by sh with functions in place of GRUB's commands, and the configuration of RAUC.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { suite } from 'uvu'
import { grubConfig, raucConfig } from '../../../firmware-pack/appliance/boot-files.ts'
import { offsetOf, PARTITIONS, partitionTable, SLOTS } from '../../../firmware-pack/appliance/disk-layout.ts'

const test = suite('boot of the appliance')

type Environment = Record<string, string>

const FRESH: Environment = { ORDER: 'A B', A_OK: '1', A_TRY: '0', B_OK: '1', B_TRY: '0' }

/** Commands of GRUB: `save_env` prints the variables, `linux` what it starts. */
const COMMANDS = `
root=hd0,gpt1
regexp() { disk=hd0; }
save_env() { for name; do eval "echo saved $name=\\$$name"; done; }
linux() { echo "linux $*"; [ -z "$UNREADABLE" ]; }
initrd() { echo "initrd $*"; }
boot() { echo boot; exit; }
sleep() { :; }
reboot() { echo reboot; exit; }
`

/** @param environment undefined: it is damaged */
function start(environment: Environment | undefined, isReadable = true) {
  const loaded = Object.entries(environment ?? {}).map(([name, value]) => `${name}='${value}'`)
  // `set name=value` is a plain assignment in sh.
  const script = grubConfig().replaceAll(/\bset (?=\w+=)/g, '')
  const source = `${COMMANDS}\nload_env() { ${loaded.join('; ') || ':'}; }\n${script}`
  const env = { PATH: process.env.PATH ?? '', UNREADABLE: isReadable ? '' : 'yes' }
  const { stdout, stderr } = spawnSync('sh', ['-e', '-c', source], { encoding: 'utf8', env })
  assert.equal(stderr, '')
  const saved = [...stdout.matchAll(/^saved (\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value])
  return { output: stdout, saved: Object.fromEntries(saved) as Environment, slot: /rauc\.slot=(\w)/.exec(stdout)?.[1] }
}

test('the preferred slot is tried three times, then the other one, and then both again', () => {
  let environment: Environment = { ...FRESH, ORDER: 'B A' }
  const slots: (string | undefined)[] = []
  for (let count = 0; count < 8; count += 1) {
    const { slot, saved } = start(environment)
    slots.push(slot)
    environment = saved
  }
  assert.deepEqual(slots, ['B', 'B', 'B', 'A', 'A', 'A', 'B', 'B'])
  assert.deepEqual(environment, { ORDER: 'B A', A_OK: '1', A_TRY: '0', B_OK: '1', B_TRY: '2' })
})

test('two power cuts while a good slot starts revert nothing', () => {
  const afterOne = start(FRESH).saved
  const afterTwo = start(afterOne).saved
  const { slot, saved } = start(afterTwo)
  assert.deepEqual([slot, saved.A_TRY], ['A', '3'])
})

test('a slot that is marked bad is not started', () => {
  assert.equal(start({ ...FRESH, A_OK: '0' }).slot, 'B')
})

test('with a damaged environment slot A starts', () => {
  const { slot, saved } = start(undefined)
  assert.deepEqual([slot, saved.ORDER, saved.A_TRY], ['A', 'A B', '1'])
})

test('a slot is started with its kernel and its root file system, and one that cannot be read with the next try', () => {
  const { output } = start({ ...FRESH, ORDER: 'B A' })
  const partition = SLOTS.find(({ name }) => name === 'B')?.partition
  assert.match(output, new RegExp(`^linux \\(hd0,gpt${partition}\\)/vmlinuz root=PARTLABEL=rootB rauc\\.slot=B `, 'm'))
  assert.match(output, new RegExp(`^initrd \\(hd0,gpt${partition}\\)/initrd\\.img\\nboot$`, 'm'))
  const { output: unreadable, saved } = start(FRESH, false)
  assert.match(unreadable, /^linux .*\nreboot$/m)
  assert.equal(saved.A_TRY, '1')
})

test('RAUC has the slots of the partition table, and accepts only bundles that are checked block by block', () => {
  const config = raucConfig()
  const devices = [...config.matchAll(/^device=\/dev\/disk\/by-partlabel\/(\w+)\ntype=raw\nbootname=(\w)$/gm)]
  assert.deepEqual(
    devices.map(([, device, name]) => [device, name]),
    [
      ['rootA', 'A'],
      ['rootB', 'B']
    ]
  )
  assert.match(config, /^bundle-formats=verity$/m)
  const names = [...partitionTable().matchAll(/name=(\w+)/g)].map(([, name]) => name)
  assert.deepEqual(
    names,
    PARTITIONS.map(({ name }) => name)
  )
  assert.equal(offsetOf('rootB') - offsetOf('rootA'), PARTITIONS[1]?.bytes)
  assert.equal(partitionTable(), partitionTable())
})

test.run()
