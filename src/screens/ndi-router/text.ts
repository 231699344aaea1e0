export const TEXT = {
  // Toolbar
  matrix: ['Matrix', '矩阵'],
  find: ['Find source or destination', '查找源或目标'],
  findSource: ['Find source', '查找源'],
  armMode: ['Arm, then take', '先预选，再切换'],
  pictures: ['Pictures', '画面'],
  panelView: ['Buttons', '按键视图'],
  salvos: ['Salvos', '预设组'],
  salvoCount: ['Salvos: {0}', '预设组：{0}'],
  nothingToUndo: ['No take can be undone.', '没有可撤销的切换。'],
  schedule: ['Scheduled takes', '定时切换'],
  scheduleCount: ['Scheduled takes: {0}', '定时切换：{0}'],
  undo: ['Undo last take', '撤销上次切换'],
  more: ['Matrix settings', '矩阵设置'],
  editMatrix: ['Edit matrix', '编辑矩阵'],
  panels: ['Hardware panels', '硬件面板'],
  addMatrix: ['Add matrix', '添加矩阵'],
  removeMatrix: ['Delete matrix', '删除矩阵'],
  takeLog: ['Log of takes', '切换日志'],
  keys: ['Keyboard', '键盘操作'],
  // Grid
  corner: ['Destination ↓ Source →', '目标 ↓ 源 →'],
  noSource: ['No source', '无源'],
  none: ['None', '无'],
  cell: ['{0}, source {1}', '{0}，源 {1}'],
  cellState: ['{0}, source {1}: {2}', '{0}，源 {1}：{2}'],
  noMatch: ['No source or destination contains “{0}”', '没有包含“{0}”的源或目标'],
  keysHint: [
    'Arrows move, Enter arms or takes, Shift+Enter takes at once, 7 Enter 9 Enter routes source 9 to destination 7, Shift+L locks, ? shows all keys.',
    '方向键移动，Enter 预选或切换，Shift+Enter 立即切换，7 Enter 9 Enter 将源 9 接到目标 7，Shift+L 锁定，? 显示全部按键。'
  ],
  // States
  away: ['Source away', '源已离线'],
  awayHint: [
    'The router waits for the source and shows it again as soon as it returns.',
    '路由器正在等待该源，恢复后会自动显示。'
  ],
  down: ['Destination down', '目标中断'],
  downHint: [
    'The hub does not announce this destination at the moment, so that no receiver gets it. The log of the system says why.',
    '中控目前未广播此目标，接收端无法获取。原因见系统日志。'
  ],
  noReceivers: ['no receiver', '无接收端'],
  oneReceiver: ['1 receiver', '1 个接收端'],
  receivers: ['{0} receivers', '{0} 个接收端'],
  lockedBy: ['Locked by {0}', '已被 {0} 锁定'],
  lock: ['Lock {0}', '锁定 {0}'],
  unlock: ['Unlock {0}', '解锁 {0}'],
  page: ['Page of {0}', '{0} 的页面'],
  offline: ['Away', '离线'],
  notSeen: ['Not seen yet', '尚未发现'],
  awaySince: ['Away since {0}', '自 {0} 起离线'],
  // Compact
  destinations: ['Destinations', '目标'],
  chooseSource: ['Source for {0}', '选择 {0} 的源'],
  toDestinations: ['All destinations', '全部目标'],
  now: ['Now: {0}', '当前：{0}'],
  // Page of one destination
  confirmFirst: ['Confirm each take', '每次切换前确认'],
  confirmTake: ['Switch to {0}', '切换到 {0}'],
  cancel: ['Cancel', '取消'],
  oldState: ['No current state', '状态未更新'],
  oldStateText: [
    'The state shown before may have changed. The page continues by itself as soon as the hub responds.',
    '之前显示的状态可能已变化。中控恢复响应后，页面将自动继续。'
  ],
  noDestination: ['This destination does not exist', '此目标不存在'],
  toMatrix: ['To the matrix', '前往矩阵'],
  openDoorPanel: ['Page for {0}', '{0} 的单独页面'],
  fullScreen: ['Full screen', '全屏'],
  // Pages without a matrix
  unavailable: ['The NDI router is not available', 'NDI 路由不可用'],
  sentence: ['{0}.', '{0}。'],
  unavailableText: [
    'This hub has no NDI runtime that can route. Install the NDI runtime on the hub and restart it.',
    '此中控没有支持路由的 NDI 运行库。请在中控上安装 NDI 运行库并重启。'
  ],
  empty: ['No matrix', '暂无矩阵'],
  emptyText: [
    'A matrix connects NDI sources with destinations. Each destination is an NDI source of its own that any receiver can select.',
    '矩阵将 NDI 源接到目标。每个目标本身也是一个 NDI 源，任何接收端都可以选择它。'
  ],
  unknownMatrix: ['This matrix does not exist', '此矩阵不存在'],
  unknownMatrixText: ['It was deleted, or the link is wrong.', '它已被删除，或链接有误。'],
  toMatrices: ['To the NDI router', '前往 NDI 路由'],
  removeQuestion: ['Delete {0}?', '删除 {0}？'],
  removeText: [
    'Its destinations disappear from the network: receivers lose their pictures. Salvos and scheduled takes are deleted too. This cannot be undone.',
    '其目标会从网络中消失，接收端将失去画面；预设组和定时切换也会被删除。此操作无法撤销。'
  ]
} as const

/** States of a route. */
export const ROUTE_STATES = {
  routed: ['Routed', '已接通'],
  armed: ['Armed', '已预选'],
  taking: ['Taking', '正在切换']
} as const
