// Answers of each device generation (docs/wire.md, "Device generations"), with realistic values.

const slot = (type: number) => ({
  id: type,
  'disk-type': type,
  'disk-status': 0,
  'total-size': 0,
  'used-size': 0,
  'free-size': 0,
  usage: 0,
  'fs-type': '',
  'mount-path': ''
})

export const GET_STATUS = {
  result: 0,
  'cur-status': 68,
  'cur-time': '2026-03-14 10:34:43',
  'box-name': 'Hall 1',
  'input-source': 3,
  'input-device': 2,
  'cpu-temperature': 68600,
  codec: { 'main-stream': { result: 0, cx: 1920, cy: 1080, duration: 200000, kbps: 10240, 'cur-bps': 10489632 } },
  sysstat: {
    uptime: 2593745,
    cpu: 1500,
    'cpu-usage': 25,
    'mem-total': 1024000,
    'mem-free': 569752,
    'eth-rx': 114528,
    'eth-tx': 11858456
  },
  'live-status': { result: 2, 'run-ms': 2593699403, live: [{ id: 0, type: 120, 'is-use': 1, result: 22 }] },
  'rec-status': { result: 0, 'run-ms': 0, rec: [] },
  'input-signal': {
    status: 1,
    cx: 1920,
    cy: 1080,
    interlaced: 0,
    'interlaced-scale': 1,
    'frame-rate': 50,
    hdmi: { status: 1, cx: 1920, cy: 1080, interlaced: 0, 'frame-rate': 50 },
    sdi: { status: 0, cx: 0, cy: 0, interlaced: 0, 'frame-rate': 0 }
  },
  'disk-info': [slot(0), slot(1), slot(2)],
  eth: { 'link-speed': 1000, 'is-dhcp': 0, ip: '192.0.2.112', mask: '255.255.255.0', router: '', dns: '' },
  wifi: { name: '', level: 0, ip: '', mask: '', router: '', dns: '' },
  upgrade: { ver: '', date: '', 'size-byte': 0, info: [] },
  downgrade: { ver: '', date: '', 'size-byte': 0, info: [] }
}

export const ENCODER_SUMMARY = {
  status: 0,
  device: {
    name: 'Stage left',
    model: 'HDMI 4K Plus',
    'serial-no': 'B401180706020',
    'hw-revision': 'B',
    'fw-version': '1.1.72',
    'up-to-date': true,
    'input-state': '1920x1080p60',
    'output-state': 'unconnected',
    'cpu-usage': 5.25,
    'memory-usage': 58.33,
    'core-temp': 46.76,
    'board-id': 0,
    'up-time': 8006,
    'sd-size': 0,
    'fan-rpm': 0
  },
  ethernet: {
    state: '1000m',
    'mac-addr': 'd0:c8:57:80:01:01',
    'ip-addr': '192.0.2.20',
    'tx-speed-kbps': 120500,
    'rx-speed-kbps': 310
  },
  rndis: { state: 'down', 'ip-addr': '192.168.66.1', 'tx-speed-kbps': 0, 'rx-speed-kbps': 0 },
  ndi: { name: 'STAGE (left)', enabled: true, 'num-clients': 1 }
}

export const DECODER_SUMMARY = {
  status: 0,
  device: {
    name: 'Foyer screen',
    model: 'NDI to HDMI',
    'up-to-date': false,
    'output-state': 'active',
    'cpu-usage': 60,
    'core-temp': 69.23,
    'up-time': 19972
  },
  ethernet: { state: '100m', 'ip-addr': '192.0.2.21', 'tx-speed-kbps': 45, 'rx-speed-kbps': 98000 },
  ndi: {
    name: 'STUDIO (Program)',
    connected: true,
    'video-width': 1920,
    'video-height': 1080,
    'video-scan': 'interlaced',
    'video-field-rate': 59.94
  }
}

export const BASIC_INFO = {
  status: 0,
  code: 'MW_STATUS_SUCCESS',
  'device-name': 'Rack 4',
  'mdns-url': 'http://rack4.local',
  uptime: 86400,
  cpu: 12,
  mem: 40,
  datetime: '2026-03-14 10:34:43',
  'auto-reboot': false
}
