import { defineWord } from '../word.ts';

/** How pictures are taken for a field. */
export interface CameraUse {
  /** A boolean field beside it: while it is true, pictures come from the camera only. */
  only?: string;
  /** The position of the device is sent with pictures from its camera. */
  place?: boolean;
}

declare module '../../types.ts' {
  interface FieldWords {
    camera?: CameraUse;
  }
}

export const xCamera = defineWord<CameraUse>({
  name: 'x-camera',
  on: 'field',
  shape: {
    description: 'How pictures are taken: with the camera only, and with the position of the device.',
    type: 'object',
    minProperties: 1,
    additionalProperties: false,
    properties: {
      only: {
        description: 'A boolean field beside it: while it is true, pictures come from the camera only.',
        type: 'string',
        minLength: 1,
      },
      place: { description: 'The position of the device is sent with pictures from its camera.', type: 'boolean' },
    },
    examples: [{ only: 'camera_only', place: true }],
  },
  compile: (written, { field }) => {
    if (written) field.camera = written;
  },
  check: (field, { check, at, siblings }) => {
    if (!field.camera) return;
    const path = [...at, 'x-camera'];
    if (field.type !== 'image')
      check.report(path, `"${field.name}" is no picture: it is of type ${field.type}.`, 'Leave out "x-camera".');
    const { only } = field.camera;
    const names = siblings.flatMap(({ name, type }) => (type === 'boolean' ? [name] : []));
    if (only !== undefined && !names.includes(only))
      check.unknown([...path, 'only'], only, names, '"only" (a boolean field beside it)');
  },
  chapter: 'Conditionally shown or required',
  doc: [
    '**`x-camera`** on a picture: while the boolean field beside it named by `only` is true, the form offers the camera and',
    'no file; with `"place": true` the browser asks for the position of the device and sends it. Both are stored with the',
    'file (`capture`), where functions of a module read them. The browser reports them, so a forged request can state',
    'anything: they are no proof.',
  ],
  example: [
    {
      part: {
        camera_only: { $ref: 'types#boolean', title: 'Only with the camera' },
        photo: { $ref: 'types#image', 'x-camera': { only: 'camera_only', place: true } },
      },
    },
  ],
});
