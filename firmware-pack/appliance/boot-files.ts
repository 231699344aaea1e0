// The configuration of GRUB and RAUC, which share the environment of GRUB: which slot is preferred (ORDER), which may
// be started (A_OK, B_OK), and how often GRUB has tried it since it was last marked good (A_TRY, B_TRY).
import { COMPATIBLE, SLOTS } from './disk-layout.ts'

/** Starts of a slot that GRUB tries. With one or two, a power cut while the machine starts would revert an update. */
const TRIES = 3

const KERNEL_ARGUMENTS = [
  'rootfstype=squashfs',
  'ro',
  // Restart after a panic, so that GRUB counts the try.
  'panic=5',
  'quiet',
  'loglevel=3',
  'console=tty0',
  'console=ttyS0,115200',
  // Caches of the image are complete. In memory they would be made again at each start.
  'systemd.condition-needs-update=0'
].join(' ')

/** Bodies of a chain of conditions on the name of the slot. */
const forEachSlot = (body: (slot: string, partition: number) => string, indent: string) =>
  SLOTS.map(
    ({ name, partition }, index) =>
      `${indent}${index ? 'elif' : 'if'} [ "$slot" = ${name} ]; then ${body(name, partition)}`
  ).join('\n')

/**
 * The script that GRUB runs. It chooses the first slot in the preferred order that may be started and has tries left,
 * and counts the try before it starts it. GRUB's scripts have no arithmetic.
 */
export function grubConfig(): string {
  const names = SLOTS.map(({ name }) => name)
  const variables = ['ORDER', ...names.flatMap((name) => [`${name}_OK`, `${name}_TRY`])]
  const defaults = names.map((name) => `set ${name}_OK=1\nset ${name}_TRY=0`).join('\n')
  const counts = Array.from({ length: TRIES }, (_, index) => index)
  const next = counts
    .map((count) => `${count ? 'elif' : 'if'} [ "$try" = ${count} ]; then set next=${count + 1}`)
    .join('; ')
  return `# With a damaged environment these values count. The machine then makes it anew.
set ORDER="${names.join(' ')}"
${defaults}
load_env ${variables.join(' ')}
regexp --set=1:disk '^(.*),' "$root"
set chosen=
for slot in $ORDER; do
${forEachSlot((name) => `set ok=$${name}_OK; set try=$${name}_TRY`, '  ')}
  fi
  if [ -z "$chosen" -a "$ok" = 1 -a "$try" != ${TRIES} ]; then set chosen=$slot; set count=$try; fi
done
if [ -z "$chosen" ]; then
  # All tries are used up: begin again with the preferred slot.
${names.map((name) => `  set ${name}_TRY=0`).join('\n')}
  for slot in $ORDER; do
    if [ -z "$chosen" ]; then set chosen=$slot; fi
  done
  set count=0
fi
set slot=$chosen
set try=$count
${next}; else set next=${TRIES}; fi
${forEachSlot((name, partition) => `set ${name}_TRY=$next; set part=${partition}`, '')}
fi
save_env ${variables.join(' ')}
echo "Headend: slot $slot, try $next of ${TRIES}"
if linux "($disk,gpt$part)/vmlinuz" root=PARTLABEL=root$slot rauc.slot=$slot ${KERNEL_ARGUMENTS}; then
  if initrd "($disk,gpt$part)/initrd.img"; then boot; fi
fi
# The slot cannot be read. The try is counted.
sleep 5
reboot
`
}

/** The configuration of RAUC. */
export function raucConfig(): string {
  const slots = SLOTS.map(
    ({ name }, index) => `
[slot.rootfs.${index}]
device=/dev/disk/by-partlabel/root${name}
type=raw
bootname=${name}
`
  )
  return `[system]
compatible=${COMPATIBLE}
bootloader=grub
grubenv=/boot/efi/grub/grubenv
statusfile=/data/rauc.status
mountprefix=/run/rauc
bundle-formats=verity

[keyring]
path=/etc/rauc/keyring.pem
# The clock of a machine may be wrong.
use-bundle-signing-time=true

[handlers]
post-install=/usr/lib/headend-appliance/keep-grubenv
${slots.join('')}`
}

/** File systems that are mounted beside those that the initial RAM disk mounts. */
export const FSTAB = `# The data partition is mounted already; it is grown to the size of its partition.
PARTLABEL=data /data ext4 nodev,nosuid,nofail,x-systemd.growfs 0 0
PARTLABEL=ESP /boot/efi vfat sync,umask=077,nofail 0 0
tmpfs /tmp tmpfs mode=1777,nosuid,nodev 0 0
`
