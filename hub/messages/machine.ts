// Sentences about parts of the machine that the hub cannot change (contract/machine/machine.ts).
import { join } from 'node:path'
import type { UndoReason } from '../../contract/machine/network.ts'
import { type Language, type Translation, translate } from './language.ts'

/**
 * Why the hub cannot change a part of the machine.
 * - `view`: the hub runs in view mode
 * - `missing`: the service that does it is not installed
 * - `stopped`: the service is installed and does not run
 * - `refused`: the service does not let the user of the hub do it
 * - `socket-refused`: the user of the hub may not use the socket of the service
 * - `failing`: the service runs and cannot do it
 * - `unprepared`: the machine was not set up so that the hub may configure the service
 */
export type MachineObstacle = 'view' | 'missing' | 'stopped' | 'refused' | 'socket-refused' | 'failing' | 'unprepared'

/** Why the hub cannot use a service in manage mode. */
export type ServiceObstacle = Exclude<MachineObstacle, 'view'>

/** {0}: name of the service, {1}: its Debian package, {2}: its systemd unit, {3}: the command. */
const SENTENCES: Readonly<Record<MachineObstacle, readonly [reason: Translation, nextStep: Translation]>> = {
  view: [
    ['The hub does not change this machine.', '中控不会更改此机器。'],
    ['To let the hub manage this machine, run on it: {3}', '如需由中控管理此机器，请在该机器上运行：{3}']
  ],
  missing: [
    ['{0} is not installed on the hub.', '中控上未安装 {0}。'],
    ['Install it on the hub: {3}', '请在中控上安装：{3}']
  ],
  stopped: [
    ['{0} is not running on the hub.', '中控上的 {0} 未运行。'],
    ['Start it on the hub: {3}', '请在中控上启动：{3}']
  ],
  refused: [
    ['The hub has no permission to use {0}.', '中控没有使用 {0} 的权限。'],
    [
      'Install the polkit rules of the hub in /etc/polkit-1/rules.d, and run the hub as the user that they name.',
      '请将中控的 polkit 规则安装到 /etc/polkit-1/rules.d，并以规则中指定的用户运行中控。'
    ]
  ],
  'socket-refused': [
    ['The hub has no permission to use {0}.', '中控没有使用 {0} 的权限。'],
    ['Run the hub as a user of the group in the unit {2}.service.', '请以 {2}.service 单元中指定用户组的用户运行中控。']
  ],
  failing: [
    ['{0} does not work on the hub.', '中控上的 {0} 无法工作。'],
    ['See its log on the hub: {3}', '请在中控上查看其日志：{3}']
  ],
  unprepared: [
    ['The hub may not configure {0}.', '中控无权配置 {0}。'],
    [
      'Install the files of deploy/{1} on the hub, and restart {0} and the hub.',
      '请在中控上安装 deploy/{1} 中的文件，然后重启 {0} 和中控。'
    ]
  ]
}

const UNDO_REASON_SENTENCES: Readonly<Record<UndoReason, Translation>> = {
  'not-confirmed': ['Not confirmed in time', '未及时确认'],
  'address-in-use': ['Another machine has the address', '该地址已被其他机器使用'],
  'no-address': ['No address from DHCP', '未从 DHCP 获得地址'],
  'wifi-password': ['Wrong Wi-Fi password', 'Wi-Fi 密码错误'],
  'wifi-missing': ['Wi-Fi network not in range', '范围内没有该 Wi-Fi 网络'],
  cancelled: ['A user cancelled it', '用户已取消'],
  failed: ['NetworkManager could not apply it', 'NetworkManager 无法应用']
}

/** Why a request about the network or the clock is refused. */
const REFUSALS: Readonly<Record<string, Translation>> = {
  'old-connection': [
    'Confirm the change over a new connection to the changed interface. Open the console at its new address.',
    '请通过到已更改接口的新连接确认。请在新地址打开控制台。'
  ],
  applying: ['The change is not yet in effect. Try again in a moment.', '更改尚未生效，请稍后重试。'],
  undoing: ['The change is being undone.', '正在撤销更改。'],
  'listen-address': [
    'The hub listens on this address alone. Start it with HOST=:: before you change the address.',
    '中控仅监听此地址。更改地址前，请以 HOST=:: 启动中控。'
  ],
  synchronised: [
    'The clock is synchronized. Turn the synchronization off before you set it.',
    '时钟正在同步。请先关闭同步再设置时间。'
  ],
  chrony: [
    'chrony did not accept the time servers. The previous ones stay in use.',
    'chrony 未接受时间服务器，继续使用原有服务器。'
  ],
  unmanaged: [
    'NetworkManager leaves this interface alone, because another program of the machine owns it.',
    '此接口由机器上的其他程序管理，NetworkManager 不处理。'
  ],
  'ping-name': ['The hub cannot resolve this name.', '中控无法解析此名称。'],
  'ping-target': [
    'The hub does not ping multicast, link-local and metadata addresses.',
    '中控不会 ping 组播、链路本地和元数据地址。'
  ],
  'ping-missing': [
    'ping is not installed on the hub.\nInstall it on the hub: apt-get install -y iputils-ping',
    '中控上未安装 ping。\n请在中控上安装：apt-get install -y iputils-ping'
  ],
  'ping-refused': [
    'The machine does not let the hub send pings.\nAllow it on the hub: sysctl -w net.ipv4.ping_group_range="0 2147483647"',
    '此机器不允许中控发送 ping。\n请在中控上允许：sysctl -w net.ipv4.ping_group_range="0 2147483647"'
  ],
  'not-a-vlan': ['Only a VLAN can be removed. {0} belongs to the machine itself.', '只能移除 VLAN。{0} 属于机器本身。'],
  'vlan-of-another': [
    'NetworkManager did not make this VLAN. Remove it with the program that made it, or on the hub: ip link delete {0}',
    '此 VLAN 不是由 NetworkManager 创建的。请用创建它的程序移除，或在中控上执行：ip link delete {0}'
  ]
}

/**
 * The sentence of a refusal; undefined if there is none.
 * @param about {0} of the sentence
 */
export function refusalText(language: Language, refusal: unknown, about?: unknown): string | undefined {
  const sentence = REFUSALS[String(refusal)]
  return sentence && translate(language, sentence, [String(about)])
}

/** Services and their units by the name of the service on the system bus. */
const BUS_SERVICES: Readonly<Record<string, string>> = {
  'org.freedesktop.hostname1': 'systemd-hostnamed',
  'org.freedesktop.timedate1': 'systemd-timedated',
  'org.freedesktop.login1': 'systemd-logind',
  'org.freedesktop.NetworkManager': 'NetworkManager',
  'org.freedesktop.DBus': 'dbus'
}

/** What a service of the system has answered, or that it does not run and what to do. */
export function busErrorText(
  language: Language,
  { isAway, destination, message }: { isAway: boolean; destination: string; message: string }
): string {
  const name = BUS_SERVICES[destination]
  if (!isAway || name === undefined) return message
  return obstacleText(language, 'failing', { name, package: '', unit: name }).join('\n')
}

/** Why a change of the network was undone. An unknown reason, for example of a newer hub, is shown as it is. */
export function undoReasonText(language: Language, reason: string): string {
  const isKnown = Object.hasOwn(UNDO_REASON_SENTENCES, reason)
  return isKnown ? translate(language, UNDO_REASON_SENTENCES[reason as UndoReason]) : reason
}

/** A service of the system that changes a part of the machine. */
export interface SystemService {
  name: string
  /** Debian package that provides it. */
  package: string
  /** systemd unit. */
  unit: string
}

/** The folder of the hub's program. */
const PROGRAM_FOLDER = join(import.meta.dirname, '../..')

/** Whether the program is that of the Debian package, or of an upgrade of it. */
const IS_PACKAGE = /^\/(usr\/lib\/headend|var\/lib\/headend-releases)\//.test(PROGRAM_FOLDER)

/** Installs what gives the hub its rights, and joins the groups again. */
const RECONFIGURE = `sudo apt-get install -y polkitd chrony
sudo dpkg-reconfigure headend`

/** Whether systemd started this process, as the unit of `docs/install.md` does. */
const IS_UNIT = process.env.SYSTEMD_EXEC_PID === String(process.pid)

/**
 * The shell commands that do the next step: those of `docs/install.md`. Undefined if no command does it.
 * @param isUnit whether the hub is the unit of `docs/install.md`
 * @param isPackage whether the hub is that of the Debian package, which repairs rights when it is configured again
 */
export function obstacleCommand(
  obstacle: MachineObstacle,
  service: SystemService,
  isUnit = IS_UNIT,
  isPackage = IS_PACKAGE
): string | undefined {
  if (isPackage && (obstacle === 'refused' || obstacle === 'unprepared')) return RECONFIGURE
  const deploy = `${PROGRAM_FOLDER}/deploy`
  switch (obstacle) {
    case 'view':
      return isUnit
        ? 'echo MACHINE=manage | sudo tee -a /etc/default/headend && sudo systemctl restart headend'
        : `make -C ${PROGRAM_FOLDER} run MACHINE=manage`
    case 'missing':
      return `sudo apt-get install -y ${service.package}`
    case 'stopped':
      return `sudo systemctl enable --now ${service.unit}`
    case 'failing':
      return `journalctl -u ${service.unit}`
    case 'refused':
      return `sudo install -D -m 644 -t /etc/polkit-1/rules.d ${deploy}/polkit/*.rules`
    case 'unprepared':
      return `sudo usermod -a -G _chrony headend
sudo install -D -m 644 ${deploy}/chrony/headend.conf /etc/chrony/conf.d/headend.conf
sudo install -D -m 644 ${deploy}/chrony/tmpfiles.conf /etc/tmpfiles.d/headend-chrony.conf
sudo install -D -m 644 ${deploy}/chrony/chrony.service.conf /etc/systemd/system/chrony.service.d/headend.conf
sudo systemd-tmpfiles --create /etc/tmpfiles.d/headend-chrony.conf
sudo systemctl daemon-reload
sudo systemctl restart chrony headend`
    default:
      return undefined
  }
}

/** @returns the reason and the next step */
export function obstacleText(
  language: Language,
  obstacle: MachineObstacle,
  service: SystemService
): [reason: string, nextStep: string] {
  const values = [service.name, service.package, service.unit, obstacleCommand(obstacle, service) ?? '']
  const [reason, nextStep] = SENTENCES[obstacle]
  return [translate(language, reason, values), translate(language, nextStep, values)]
}
