export default {
  'common.yes': 'Yes',
  'common.cancel': 'Cancel',
  'common.hold': 'Hold it for a second',
  'common.navigation': 'Pages',
  'common.rooms': 'Rooms',
  'common.agenda': 'Agenda',
  'common.displays': 'Displays',
  'common.settings': 'Settings',
  'common.refused.unreachable': 'The server cannot be reached',
  'common.refused.timeout': 'Nobody answered. It may have been done: see what is shown',
};
