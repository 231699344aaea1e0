// Assembles the disk of the appliance from images of its partitions, without mounting one.
import { closeSync, ftruncateSync, openSync, readSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { runTool } from '../process/run-tool.ts'
import { grubConfig } from './boot-files.ts'
import { DISK_BYTES, offsetOf, partitionTable, SLOTS, sizeOf, uuidOf } from './disk-layout.ts'

/** What GRUB needs to run its script: nobody sees a menu or a shell that can be used. */
const GRUB_MODULES = [
  ...['part_gpt', 'fat', 'squash4', 'gzio', 'normal', 'configfile', 'linux', 'loadenv'],
  ...['test', 'echo', 'regexp', 'sleep', 'reboot', 'efi_gop']
]

/** Makes a file of zeros, which takes no space. */
function createSparse(path: string, bytes: number): void {
  const file = openSync(path, 'w')
  ftruncateSync(file, bytes)
  closeSync(file)
}

/** Copies a file to an offset of another one, without its blocks of zeros. */
function copySparse(from: string, to: string, start: number): void {
  const [source, target] = [openSync(from, 'r'), openSync(to, 'r+')]
  const block = Buffer.alloc(1 << 20)
  const zeros = Buffer.alloc(block.length)
  for (let offset = start; ; ) {
    const length = readSync(source, block)
    if (!length) break
    const content = block.subarray(0, length)
    if (!content.equals(zeros.subarray(0, length))) writeSync(target, content, 0, length, offset)
    offset += length
  }
  closeSync(source)
  closeSync(target)
}

/** The partition from which the firmware of the machine starts GRUB. */
function createBootPartition(path: string, folder: string, time: number): void {
  const inFolder = (name: string) => join(folder, name)
  const [program, config, environment] = ['BOOTX64.EFI', 'grub.cfg', 'grubenv'].map(inFolder) as [
    string,
    string,
    string
  ]
  runTool('grub-mkimage', ['-O', 'x86_64-efi', '-p', '/grub', '-o', program, ...GRUB_MODULES])
  writeFileSync(config, grubConfig())
  rmSync(environment, { force: true })
  runTool('grub-editenv', [environment, 'create'])
  const names = SLOTS.map(({ name }) => name)
  const values = names.flatMap((name) => [`${name}_OK=1`, `${name}_TRY=0`])
  runTool('grub-editenv', [environment, 'set', `ORDER=${names.join(' ')}`, ...values])
  createSparse(path, sizeOf('ESP'))
  runTool('mkfs.vfat', ['-F', '32', '-n', 'ESP', '-i', uuidOf('ESP').slice(0, 8), '--invariant', path])
  const fixedTime = { env: { SOURCE_DATE_EPOCH: String(time), TZ: 'UTC' } }
  runTool('mmd', ['-i', path, '::/EFI', '::/EFI/BOOT', '::/grub'], undefined, fixedTime)
  runTool('mcopy', ['-i', path, program, '::/EFI/BOOT/'], undefined, fixedTime)
  runTool('mcopy', ['-i', path, config, environment, '::/grub/'], undefined, fixedTime)
}

function createDataPartition(path: string, time: number): void {
  createSparse(path, sizeOf('data'))
  const seed = ['-U', uuidOf('data'), '-E', `hash_seed=${uuidOf('data hashes')}`]
  runTool('mke2fs', ['-q', '-t', 'ext4', '-L', 'data', ...seed, path], undefined, {
    env: { E2FSPROGS_FAKE_TIME: String(time) }
  })
}

/** Creates the disk with the image in both slots. @param folder for temporary files */
export function createDisk(rootImage: string, time: number, folder: string, path: string): void {
  const [boot, data] = [join(folder, 'esp.img'), join(folder, 'data.img')]
  createBootPartition(boot, folder, time)
  createDataPartition(data, time)
  createSparse(path, DISK_BYTES)
  runTool('sfdisk', ['--quiet', path], Buffer.from(partitionTable()))
  copySparse(boot, path, offsetOf('ESP'))
  for (const { name } of SLOTS) copySparse(rootImage, path, offsetOf(`root${name}`))
  copySparse(data, path, offsetOf('data'))
}
