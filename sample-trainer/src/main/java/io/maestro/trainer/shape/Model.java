package io.maestro.trainer.shape;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** Published models whose parameters can be synchronised without computing gradients. */
public enum Model {
  /** 143.67 million parameters, 575 MB. */
  VGG19("vgg19"),
  /** 335.14 million parameters, 1,341 MB. */
  BERT_LARGE("bert-large"),
  /** 25.56 million parameters, 102 MB. */
  RESNET50("resnet50");

  private final String label;

  Model(String label) {
    this.label = label;
  }

  /** The model of that name, if there is one. */
  public static Optional<Model> named(String label) {
    return Arrays.stream(values()).filter(model -> model.label.equals(label)).findFirst();
  }

  /** All names, for a message. */
  public static String names() {
    return Arrays.stream(values()).map(model -> model.label).collect(Collectors.joining(", "));
  }

  /** The name in options and reports. */
  public String label() {
    return label;
  }

  /** The model's layers. */
  public ModelShape shape() {
    return switch (this) {
      case VGG19 -> Vgg19.shape();
      case BERT_LARGE -> BertLarge.shape();
      case RESNET50 -> ResNet50.shape();
    };
  }
}
