import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { eventText, findEventsByText } from '../../../hub/messages/events.ts'
import {
  findOperationsByText,
  isKnownOperation,
  nameDevices,
  operationText,
  partialOutcome
} from '../../../hub/messages/operations.ts'
import { listDeclaredCalls } from '../../../make/wire/declared-calls.ts'
import { startHub } from '../../kit/hub/hub.ts'
import { READS_BY_POST } from '../../kit/hub/read-calls.ts'

const test = suite('operation messages')

test('every write call that the hub handles has a sentence', async () => {
  const writes = listDeclaredCalls().filter((call) => call.method === 'POST' && !READS_BY_POST.includes(call))
  const hub = await startHub()
  const client = hub.client()
  const withoutSentence: string[] = []
  for (const { path } of writes) {
    const { status } = await client.raw('POST', `/api${path}`)
    if (status !== 404 && !isKnownOperation(path)) withoutSentence.push(path)
  }
  await hub.close()
  assert.ok(writes.length > 20)
  assert.deepEqual(withoutSentence, [])
})

test('an entry is translated with its objects and the tags at the end of its detail', () => {
  const cases: [event: string, detail: string, en: string, zh: string][] = [
    ['/channel/add', 'Hall 1', 'Add channel: Hall 1', '添加频道：Hall 1'],
    ['/channel/add', '', 'Add channel', '添加频道'],
    ['/channel/enable', 'Hall 1 #on', 'Start channel: Hall 1', '启动频道：Hall 1'],
    ['/channel/enable', 'Hall 1 #off', 'Stop channel: Hall 1', '停止频道：Hall 1'],
    [
      '/channel/output/enable',
      'Hall 1: Foyer #off',
      'Stop outputs of channel: Hall 1: Foyer',
      '停止频道输出：Hall 1: Foyer'
    ],
    [
      '/channel/set',
      'Hall 1 #changed=backups,schedule',
      'Edit channel: Hall 1 – backup inputs, schedule',
      '编辑频道：Hall 1 – 备用输入、定时计划'
    ],
    ['/channel/add', '#field=name', 'Add channel – field “name”', '添加频道 – 字段“名称”'],
    [
      '/login',
      'Bob #field=pass #more',
      'Sign in: Bob – field “password” – further attempts within a minute are not logged',
      '登录：Bob – 字段“密码” – 一分钟内的后续尝试未记录'
    ],
    ['/output/set', '#field=config.stream-id', 'Edit output – field “stream ID”', '编辑输出 – 字段“流 ID”'],
    ['/usr/add', 'vera #field=passwd', 'Add user: vera – field “password”', '添加用户：vera – 字段“密码”'],
    ['/device/global/set', 'config', 'Set device defaults: connection settings', '设置设备默认值：连接设置'],
    [
      '/channel/security/set',
      'News #everyone',
      'Set access to channels: News – everyone',
      '设置频道可见范围：News – 所有人'
    ],
    [
      '/device/security/set',
      'B1, B2 #inherited',
      'Set access to devices: B1, B2 – inherited',
      '设置设备可见范围：B1, B2 – 继承'
    ],
    ['/channel/input/set', 'Hall #none', 'Change input of channel: Hall – none', '更改频道输入：Hall – 无'],
    [
      '/device/accept',
      'B1, B2: 16',
      'Accept devices: B1, B2: This configuration has been deleted by another user.',
      '接受设备：B1, B2：该配置已被其他用户删除。'
    ],
    [
      '/rollout/start',
      'Ultra Encode HDMI 1.5.10: B1: 24, B2',
      'Start rollout: Ultra Encode HDMI 1.5.10: B1: Not compatible with this type of device, B2',
      '开始批量更新：Ultra Encode HDMI 1.5.10: B1：与设备类型不符, B2'
    ],
    ['/device/live/start', 'B1: usapi -35', 'Start streaming: B1: No signal', '开始推流：B1：无信号'],
    ['/device/reboot', 'B1: 12', 'Reboot devices: B1: The device is offline', '重启设备：B1：设备已离线'],
    ['/socket/sc-remote', 'B1', 'Open device page: B1', '打开设备页面：B1'],
    ['/settings/set', 'expired-time', 'Change settings: session expiry', '更改设置：会话有效期'],
    ['/settings/set', 'pwd-rule, a 1', 'Change settings: password rules, a 1', '更改设置：密码规则, a 1'],
    ['/settings/set', 'new-part', 'Change settings: new-part', '更改设置：new-part'],
    [
      '/time/set',
      'NTP ntp.example #on',
      'Change time settings: NTP ntp.example – on',
      '更改时间设置：NTP ntp.example – 开'
    ],
    [
      '/time/set',
      '#field=server1',
      'Change time settings – field “time server 1”',
      '更改时间设置 – 字段“时间服务器 1”'
    ],
    ['/log/clear', 'device B1', 'Clear log: Devices B1', '清空日志：设备 B1'],
    ['/unknown/call', 'x', '/unknown/call: x', '/unknown/call：x'],
    ['/channel/add', 'constructor', 'Add channel: constructor', '添加频道：constructor']
  ]
  for (const [event, detail, en, zh] of cases) {
    assert.equal(operationText('en', event, detail), en)
    assert.equal(operationText('zh', event, detail), zh)
  }
})

test('devices are named instead of their serial numbers, if the caller has access to them', () => {
  const nameOf = (sn: string) => ({ B1: 'Main Hall', B2: 'Foyer' })[sn]
  const cases: [event: string, detail: string, named: string][] = [
    ['/device/reboot', 'B1: 12, B2, B3: usapi -35', 'Main Hall: 12, Foyer, B3: usapi -35'],
    ['/socket/sc-remote', 'B1', 'Main Hall'],
    ['/device/record/start', 'B1 #field=sn', 'Main Hall #field=sn'],
    ['/rollout/start', 'Ultra Encode 1.5.10: B1: 24, B2', 'Ultra Encode 1.5.10: Main Hall: 24, Foyer'],
    ['/channel/add', 'B1', 'B1']
  ]
  for (const [event, detail, named] of cases) assert.equal(nameDevices(event, detail, nameOf), named)
})

test('a call that failed for some of its devices says for how many', () => {
  assert.equal(
    partialOutcome('en', '/rollout/start', 'Ultra Encode 1.5.10: B1: 24, B2, B3: 24'),
    'Partly done: 2 failed'
  )
  assert.equal(partialOutcome('zh', '/device/reboot', 'B1: usapi -9, B2'), '部分完成：1 台失败')
  assert.equal(partialOutcome('en', '/device/reboot', 'B1, B2'), undefined)
  assert.equal(partialOutcome('en', '/channel/add', 'B1: 24'), undefined)
})

test('the end of a device’s connection is worded in both languages', () => {
  const cases: [detail: string, en: string, zh: string][] = [
    [
      'Chapel: Left: the device closed the connection',
      'Offline: Chapel: Left (connection closed by the device)',
      '已离线：Chapel: Left（设备已关闭连接）'
    ],
    [
      'Chapel: the device left',
      'Offline: Chapel (connection closed by the device)',
      '已离线：Chapel（设备已关闭连接）'
    ],
    ['Chapel: no response for 2.5 s', 'Offline: Chapel (no response for 2.5 s)', '已离线：Chapel（2.5 秒没有响应）'],
    ['Chapel: read ECONNRESET', 'Offline: Chapel (read ECONNRESET)', '已离线：Chapel（read ECONNRESET）'],
    ['Chapel', 'Offline: Chapel', '已离线：Chapel']
  ]
  for (const [detail, en, zh] of cases) {
    assert.equal(eventText('en', 'device-offline', detail), en)
    assert.equal(eventText('zh', 'device-offline', detail), zh)
  }
})

test('calls and events are found by a part of their sentence in the requested language', () => {
  assert.deepEqual(findOperationsByText('en', 'ADD CHANNEL'), ['/channel/add'])
  assert.deepEqual(findEventsByText('en', 'memory'), ['low-memory'])
  assert.deepEqual(findOperationsByText('en', '添加频道'), [])
  assert.deepEqual(findOperationsByText('zh', '添加频道'), ['/channel/add'])
  assert.deepEqual(findEventsByText('zh', '内存'), ['low-memory'])
})

test.run()
