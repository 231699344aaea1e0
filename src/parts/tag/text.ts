// Sentences of tags. Imported as `* as TEXT`, so that the bundle leaves out unused ones.
import type { TagColor } from '../../../contract/tag.ts'
import type { Translation } from '../../text/language.ts'

export const tags: Translation = ['Tags', '标签']
export const of: Translation = ['{0}: {1}', '{0}：{1}']
export const empty: Translation = [
  'No tags yet. A tag groups channels, inputs, outputs and devices, for example by client or site.',
  '暂无标签。标签可将频道、输入、输出和设备分组，例如按客户或场地。'
]
export const add: Translation = ['Add tag', '添加标签']
export const change: Translation = ['Edit {0}', '编辑 {0}']
export const remove: Translation = ['Delete {0}', '删除 {0}']
export const removeText: Translation = [
  'The tag is removed from all objects that have it: {0}.',
  '该标签将从所有使用它的对象上移除：{0} 个。'
]
export const partly: Translation = ['on {0} of {1}', '{1} 项中的 {0} 项']
export const access: Translation = ['Access by tag {0}', '标签 {0} 的可见范围']
export const givesAccess: Translation = ['Gives access', '授予访问权限']
export const locked: Translation = [
  'The tag gives access: only those who set the access may change it',
  '该标签授予访问权限：仅可设置可见范围的用户能更改'
]
export const name: Translation = ['Name', '名称']
export const color: Translation = ['Color', '颜色']
export const count: Translation = ['{0} items', '{0} 项']

export const COLORS: Readonly<Record<TagColor, Translation>> = {
  gray: ['Gray', '灰色'],
  blue: ['Blue', '蓝色'],
  teal: ['Teal', '青色'],
  green: ['Green', '绿色'],
  amber: ['Amber', '黄色'],
  orange: ['Orange', '橙色'],
  red: ['Red', '红色'],
  violet: ['Violet', '紫色']
}
