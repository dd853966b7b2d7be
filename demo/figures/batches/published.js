/**
 * Wu & He 2018, table 2: ResNet-50 on ImageNet with 8 GPUs, error of the validation set in percent,
 * by images on a GPU.
 */
export const PUBLISHED = [
  { size: 32, batch: 23.6, group: 24.1 },
  { size: 16, batch: 23.7, group: 24.2 },
  { size: 8, batch: 24.8, group: 24.0 },
  { size: 4, batch: 27.3, group: 24.2 },
  { size: 2, batch: 34.7, group: 24.1 },
];
