export default {
  'common.yes': 'Ja',
  'common.cancel': 'Abbrechen',
  'common.hold': 'Eine Sekunde lang halten',
  'common.navigation': 'Seiten',
  'common.rooms': 'Räume',
  'common.agenda': 'Agenda',
  'common.displays': 'Anzeigen',
  'common.settings': 'Einstellungen',
  'common.refused.unreachable': 'Der Server ist nicht erreichbar',
  'common.refused.timeout': 'Niemand hat geantwortet. Vielleicht ist es geschehen: siehe Anzeige',
};
