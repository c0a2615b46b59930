package io.maestro.trainer.shape;

/**
 * The encoder of BERT-Large, uncased: Devlin, Chang, Lee and Toutanova, arXiv 1810.04805, section
 * 3.
 */
final class BertLarge {

  private static final int LAYERS = 24;
  private static final int WIDTH = 1_024;
  private static final int INNER_WIDTH = 4 * WIDTH;

  /** WordPiece vocabulary of the published uncased model. */
  private static final int VOCABULARY = 30_522;

  private static final int POSITIONS = 512;
  private static final int SEGMENTS = 2;

  private BertLarge() {}

  static ModelShape shape() {
    var layers = new LayerList();
    layers.embedding("word", VOCABULARY, WIDTH).embedding("position", POSITIONS, WIDTH);
    layers.embedding("segment", SEGMENTS, WIDTH).normalisation("embedding", WIDTH);
    for (int layer = 0; layer < LAYERS; layer++) {
      encoder(layers, "layer" + layer);
    }
    return layers.linear("pooler", WIDTH, WIDTH).model("bert-large");
  }

  private static void encoder(LayerList layers, String name) {
    layers.linear(name + ".query", WIDTH, WIDTH).linear(name + ".key", WIDTH, WIDTH);
    layers.linear(name + ".value", WIDTH, WIDTH).linear(name + ".attended", WIDTH, WIDTH);
    layers.normalisation(name + ".attention", WIDTH);
    layers.linear(name + ".inner", WIDTH, INNER_WIDTH).linear(name + ".outer", INNER_WIDTH, WIDTH);
    layers.normalisation(name + ".output", WIDTH);
  }
}
